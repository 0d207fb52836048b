import { expect, it } from '@jest/globals';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { enterDesk, prolongSession } from '../../../shared/use-cases/desk/enter-desk.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';

// Tests what the page People says about each person's last visit to the desk.

const { newShop, invite, signIn, send, pageAt, post, store, deps, now } = deskInMemory();
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

type Session = Awaited<ReturnType<typeof signIn>>;
/** Visits the desk as the deployed function handles a visit. Returns whether the visit prolonged the session. */
async function look({ cookie }: Session): Promise<boolean> {
	const at = await enterDesk([cookie], deps);
	if (at === null) throw new Error('signed out');
	return prolongSession(at, deps);
}
/**
 * Comes back 15 minutes after the sign-in. This proves that the person uses the session, so the service prolongs it, even in a
 * browser that did not request the link.
 */
async function prove(session: Session): Promise<void> {
	now.ms += 15 * MINUTE_MS;
	expect(await look(session)).toBe(true);
}
/** A shop on the clock of Bogotá, which is five hours behind UTC all year. `time`: the time in UTC at which the test begins. */
async function shopAt(time: string) {
	now.ms = Math.max(now.ms + 40 * DAY_MS, Date.parse('2027-03-01T00:00:00Z'));
	const shop = await newShop('US');
	const day = new Date(now.ms).toISOString().slice(0, 10);
	now.ms = Date.parse(`${day}T${time}Z`) + DAY_MS;
	await changeWorkspace(shop.id, { time_zone: 'America/Bogota' }, deps);
	return shop;
}
async function people(session: Session): Promise<ReadonlyMap<string, string>> {
	const { html } = await send(pageAt('people'), session);
	const rows = [...html.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([, row = '']) => {
		const [, address = ''] = /<bdi dir="ltr">(.*?)<\/bdi>/.exec(row) ?? [];
		const [, before = '', when = ''] = /<p><span class="phone">(.*?)<\/span>(.*?)<\/p>/.exec(row) ?? [];
		return [address, `${before}${when}`] as const;
	});
	return new Map(rows);
}
const visitOf = async (workspace_id: string, address: string) =>
	(await store.get('desk_address', { address, workspace_id }))?.visited_at;

it('the page People says in words when each person was last there, and nothing for a person who has not been there yet', async () => {
	const shop = await shopAt('15:00:00');
	await invite(shop.id, 'new@shop.example', 'member');
	await signIn(shop.member, shop.id);
	now.ms += DAY_MS;
	const ida = await signIn(shop.owner, shop.id);
	await prove(ida);
	const seen = async (address: string) => (await people(ida)).get(address);
	expect([await seen(shop.owner), await seen(shop.member), await seen('new@shop.example')]).toEqual([
		'Last visit: today',
		'Last visit: yesterday',
		'',
	]);
	now.ms += DAY_MS;
	expect([await seen(shop.owner), await seen(shop.member)]).toEqual([
		'Last visit: yesterday',
		expect.stringMatching(/^Last visit: [A-Z][a-z]{2} \d+, 2027$/),
	]);
	await post(ida, 'people', { action: 'person_invited', address: 'zoe@shop.example', role: 'member' });
	const { html } = await send(pageAt('people'), ida);
	expect([html.match(/has not opened the desk yet/g)?.length, (await people(ida)).get('zoe@shop.example')]).toEqual([
		1,
		'',
	]);
});

it('the days are those of the shop’s clock, and the first page of a day is a visit even within 24 hours of the last visit', async () => {
	// 11 PM in Bogotá, and already the next day in UTC.
	const shop = await shopAt('04:00:00');
	const ida = await signIn(shop.owner, shop.id);
	await prove(ida);
	const first = await visitOf(shop.id, shop.owner);
	now.ms += 30 * MINUTE_MS;
	expect([await look(ida), await visitOf(shop.id, shop.owner)]).toEqual([false, first]);
	now.ms += 30 * MINUTE_MS;
	expect([await look(ida), (await people(ida)).get(shop.owner)]).toEqual([true, 'Last visit: today']);
	expect(await visitOf(shop.id, shop.owner)).not.toBe(first);
	now.ms += 23 * 60 * MINUTE_MS;
	expect(await look(ida)).toBe(false);
});

it('a changed role, ended sessions and another invitation keep the last visit; a person who was removed and is invited again has none', async () => {
	const shop = await shopAt('15:00:00');
	const [ida] = [await signIn(shop.owner, shop.id), await signIn(shop.member, shop.id)];
	const visited = await visitOf(shop.id, shop.member);
	expect(visited).toBeDefined();
	for (const role of ['developer', 'member'])
		await post(ida, 'people', { action: 'person_invited', address: shop.member, role });
	await post(ida, 'people', { action: 'sessions_ended', address: shop.member });
	expect(await visitOf(shop.id, shop.member)).toBe(visited);
	await post(ida, 'people', { action: 'person_removed', address: shop.member });
	expect(await store.get('desk_address', { address: shop.member, workspace_id: shop.id })).toBeNull();
	await post(ida, 'people', { action: 'person_invited', address: shop.member, role: 'member' });
	expect([await visitOf(shop.id, shop.member), (await people(ida)).get(shop.member)]).toEqual([undefined, '']);
	expect(await store.desksOf(shop.member)).toContainEqual({ address: shop.member, workspace_id: shop.id });
});

it('a visit to one desk does not count as a visit to another desk of the same person', async () => {
	const [first, second] = [await shopAt('15:00:00'), await newShop('US')];
	await invite(second.id, first.owner, 'owner');
	await signIn(first.owner, first.id);
	expect([await visitOf(first.id, first.owner), await visitOf(second.id, first.owner)]).toEqual([
		expect.any(String),
		undefined,
	]);
});

it.each(languages)('in %s, today and yesterday are words and no date', async (language) => {
	const shop = await shopAt('15:00:00');
	await changeWorkspace(shop.id, { language }, deps);
	await signIn(shop.member, shop.id);
	now.ms += DAY_MS;
	const rows = await people(await signIn(shop.owner, shop.id));
	const [own = '', hers = ''] = [rows.get(shop.owner), rows.get(shop.member)];
	expect([own, hers]).toEqual([
		expect.stringMatching(/^[^\d]+: ?[^\d:]+$/),
		expect.stringMatching(/^[^\d]+: ?[^\d:]+$/),
	]);
	expect(own).not.toBe(hers);
});
