import { expect, it } from '@jest/globals';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';

const { newShop, pageAt, send, signIn, post, leaveNumber, invite, now, store } = deskInMemory();
type Session = Awaited<ReturnType<typeof signIn>>;

/** Sends the first form of an action, and follows the redirect. */
async function press(session: Session, page: string, action: string, typed: Readonly<Record<string, string>> = {}) {
	const form = formsIn((await send(pageAt(page), session)).html).find((each) => each['action'] === action) ?? {};
	const { headers } = await post(session, page, { ...form, ...typed });
	const to = headers.get('location') ?? '';
	const { html } = await send(pageAt(to.split('#')[0] ?? ''), session);
	return { to, html };
}
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, '');
const noteIn = (html: string) =>
	textOf(/<(?:div|p) class="note[^"]*"[^>]*role="status">(?:<p>)?(.*?)<\/p>/.exec(html)?.[1] ?? '');

it.each([
	[
		'people',
		'person_invited',
		{ address: 'mia@shop.example', role: 'member' },
		'mia@shop.example was invited; the mail is on its way.',
	],
	['team', 'member_added', { member: 'Jo <b>&', phone: '+14155550101' }, 'Jo &lt;b&gt;&amp; was added to the team.'],
	['team', 'member_off', {}, 'Ida Wells is not rung now.'],
	['hours', 'hours', { when: 'always' }, 'The opening hours are saved.'],
	['site', 'site', { name: 'New name' }, 'The website’s settings are saved.'],
	['site?look', 'look', { greeting: 'Hello' }, 'The look is saved. Your pages show it within a minute.'],
	['today', 'paused', {}, 'Calls are paused.'],
] as const)('the page %s says after %s what was done, and to whom', async (page, action, typed, words) => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const { to, html } = await press(ida, page, action, typed);
	expect([to, noteIn(html)]).toEqual([expect.stringContaining(`saved=${action}`), words]);
	expect(html.match(/role="status"(?! data-unsaved="[^"]*"><)/g)).toHaveLength(1);
});

it.each([
	['Grace', 'Grace'],
	['', '+1 ••• ••• ••03'],
	['\u202eG\u0000race\n<b>', 'Grace &lt;b&gt;'],
	['G'.repeat(100), `${'G'.repeat(40)}…`],
])('a note about a request says whose request it was: %j', async (name, who) => {
	const shop = await newShop();
	await leaveNumber(shop, '+12125550103', name);
	const mia = await signIn(shop.member, shop.id);
	let back = '';
	for (const [action, words] of [
		['lead_handled', `The request from ${who} is marked as handled.`],
		['lead_reopened', `The request from ${who} is on the list again.`],
		['lead_dismissed', `The request from ${who} was dismissed.`],
		['lead_reopened', `The request from ${who} is on the list again.`],
		['number_suppressed', `${who} will not be called again.`],
	] as const) {
		now.ms += 1000;
		const page = action === 'lead_reopened' ? back : 'today';
		const { to, html } = await press(mia, page, action);
		back = to;
		expect(noteIn(html)).toBe(words);
		expect(to).toMatch(/^today\?saved=[a-z_]+(&id=\w{26}&of=callback_lead)?$/);
	}
	// The developers' pages may not read requests.
	const ida = await signIn(shop.owner, shop.id);
	await press(ida, 'today', 'lead_handled');
	expect(noteIn((await send(pageAt('webhooks?saved=lead_handled'), ida)).html)).toBe('Saved.');
});

it('a developer reads after each action what was done, and to which endpoint or key', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const url = 'https://receiver.example/hooks';
	const made = await press(ida, 'webhooks', 'endpoint_created', { url, 'call.ringing': '', 'call.requested': '' });
	expect(textOf(made.html)).toContain(
		'receiver.example/hooks now receives call.connected, call.completed, call.failed, callback.requested.',
	);
	const [endpoint] = await store.endpointsOf(shop.id);
	const page = `webhooks?id=${endpoint?.id}`;
	const rotated = await press(ida, page, 'secret_rotated');
	expect(textOf(rotated.html)).toContain('receiver.example/hooks has a new signing secret.');
	for (const [action, typed, words] of [
		['endpoint_changed', { url: 'https://b.example/?key=1' }, 'The endpoint b.example/ is saved.'],
		['endpoint_disabled', {}, 'b.example/ is disabled. Its deliveries are held for 30 days.'],
		['endpoint_enabled', {}, 'b.example/ is enabled and gets new events. What was held waits until you send it again.'],
		['endpoint_deleted', {}, 'b.example/ was deleted. It gets nothing more.'],
	] as const) {
		now.ms += 1000;
		const { to, html } = await press(ida, page, action, typed);
		expect([to, noteIn(html)]).toEqual([expect.stringContaining(`saved=${action}`), words]);
		expect(html.match(/role="status"(?! data-unsaved="[^"]*"><)/g)).toHaveLength(1);
	}
	const keyed = await press(ida, 'keys', 'key_created', { key_name: 'Shop <b>', 'calls:read': 'yes' });
	expect(textOf(keyed.html)).toContain('The API key Shop &lt;b&gt; is ready.');
	const revoked = await press(ida, 'keys', 'key_revoked');
	expect(noteIn(revoked.html)).toBe(
		'The API key Shop &lt;b&gt; was revoked. Every request with it is refused from now on.',
	);
});

it('the note appears below the button of its form, and the page opens at the note', async () => {
	const shop = await newShop();
	const { to, html } = await press(await signIn(shop.owner, shop.id), 'team', 'ringing', {
		ring_strategy: 'sequential',
	});
	expect(to).toMatch(/#said$/);
	expect(html).toMatch(
		/<\/button><p [^>]*><\/p><\/div><p class="note said" id="said" role="status">[^<]+<\/p><\/form>/,
	);
});

it('a link cannot make a page claim an action that its reader has not done, or did long ago', async () => {
	const shop = await newShop();
	await invite(shop.id, shop.member, 'owner');
	const ida = await signIn(shop.owner, shop.id);
	const mia = await signIn(shop.member, shop.id);
	const { to } = await press(ida, 'people', 'person_invited', { address: 'zoe@shop.example', role: 'member' });
	const link = pageAt(to.split('#')[0] ?? '');
	expect(noteIn((await send(link, mia)).html)).toBe('Saved.');
	expect(noteIn((await send(pageAt('team?saved=member_removed'), ida)).html)).toBe('Saved.');
	for (const word of ['__proto__', 'constructor', 'toString', 'person_invited'])
		expect((await send(pageAt(`webhooks?saved=${word}`), ida)).status).toBe(200);
	now.ms += 11 * 60_000;
	expect(noteIn((await send(link, ida)).html)).toBe('Saved.');
});
