import { expect, it } from '@jest/globals';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
import { always, put } from '../../support/writes.ts';

// Tests whom the page Activity names when a request was handled, dismissed or put back.

const { newShop, developedShop, pageAt, send, signIn, post, leaveNumber, store } = deskInMemory();
type Session = Awaited<ReturnType<typeof signIn>>;
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, '');

/** What the rows of Activity say was done, newest first. */
async function activity(session: Session): Promise<readonly string[]> {
	const { html } = await send(pageAt('log'), session);
	return [...html.matchAll(/<td class="what">(.*?)<\/td>/g)].map(([, what = '']) => textOf(what));
}
async function press(session: Session, action: string): Promise<void> {
	const { html } = await send(pageAt('today'), session);
	await post(session, 'today', formsIn(html).find((form) => form['action'] === action) ?? {});
}

it.each([
	['Grace', 'Grace'],
	['', '+1 ••• ••• ••03'],
	['\u202eG\u0000race\n<b>', 'Grace &lt;b&gt;'],
	['G'.repeat(100), `${'G'.repeat(40)}…`],
])('Activity says whose request was dismissed: %j', async (name, who) => {
	const shop = await newShop();
	await leaveNumber(shop, '+12125550103', name);
	const ida = await signIn(shop.owner, shop.id);
	await press(ida, 'lead_dismissed');
	expect((await activity(ida))[0]).toBe(`dismissed the request from ${who}`);
});

it('Activity names the visitors of many requests, and no visitor whose data was erased or whose request was deleted', async () => {
	const shop = await newShop();
	const ids = [];
	for (const [nth, name] of ['Grace', 'Ada', 'Eve'].entries())
		ids.push(await leaveNumber(shop, `+1212555014${nth}`, name));
	const ida = await signIn(shop.owner, shop.id);
	for (const _ of ids) await press(ida, 'lead_handled');
	const named = (name: string) => `marked the request from ${name} as handled`;
	const before = await activity(ida);
	expect([...before.slice(0, 3)].sort()).toEqual(['Ada', 'Eve', 'Grace'].map(named));
	const [grace = '', ada = ''] = ids;
	const lead = await store.get('callback_lead', { id: grace });
	if (lead === null) throw new Error('no request');
	const { number_hash: _, ...erased } = { ...lead, version: lead.version + 1, name: null };
	await store.commit([
		put('callback_lead', erased, always),
		{ op: 'remove', record: 'callback_lead', key: { id: ada }, guard: always },
	]);
	const unnamed = 'marked a request as handled';
	expect([...(await activity(ida)).slice(0, 3)].sort()).toEqual([unnamed, unnamed, named('Eve')]);
});

it('a request of another shop has no name, and a developer, who sees no calls, reads no name of a visitor', async () => {
	const shop = await developedShop();
	const id = await leaveNumber(await newShop(), '+12125550103', 'Foreign');
	await leaveNumber(shop, '+12125550104', 'Grace');
	const ida = await signIn(shop.owner, shop.id);
	await press(ida, 'lead_handled');
	const [entry] = await store.list('desk_change', shop.id, { from_id: null, before_id: null, limit: 1 });
	if (entry === undefined) throw new Error('no entry');
	expect((await activity(ida))[0]).toBe('marked the request from Grace as handled');
	expect((await activity(shop.dev))[0]).toBe('marked a request as handled');
	await store.commit([put('desk_change', { ...entry, about: id }, always)]);
	expect((await activity(ida))[0]).toBe('marked a request as handled');
});
