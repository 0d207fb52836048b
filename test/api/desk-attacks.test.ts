import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Mail } from '../../local/aws/mail.ts';
import type { Stack } from '../../local/stack.ts';
import { sessionId } from '../../shared/domain/desk/desk-session.ts';
import { changeWorkspace } from '../../shared/use-cases/workspaces/change-workspace.ts';
import { call, eventually, fromConsole, visitorBody } from '../support/stack/api.ts';
import { deskForms, deskShops } from '../support/stack/desk-shops.ts';
import { testStack } from '../support/stack/stack.ts';
import { freshTalker } from '../support/webhooks/customers.ts';

let stack: Stack;
beforeAll(async () => {
	stack = await testStack();
});
afterAll(() => stack.stop());

const shops = deskShops(() => stack);
const { operator, newShop, linkTo, leaveNumber } = shops;
const { desk, send, signIn, post, codeOf } = deskForms(() => stack, shops);
const MARKUP = `Ida "><script>alert(1)</script>`;

const mailTo = (address: string): Promise<Mail> =>
	eventually(`a mail to ${address}`, async () => {
		const mails = (await fromConsole(stack, '/mailbox')) as readonly Mail[];
		return mails.find(({ to }) => to === address) ?? null;
	});

/** Every form that only owners may send. */
const FOR_OWNERS = [
	{ act: 'hours', when: 'always' },
	{ act: 'ringing', ring_strategy: 'sequential', ring_order: 'agent_first' },
	{ act: 'site', name: 'Mallory', origins: 'https://evil.example', language: 'de' },
	{ act: 'consent', call: 'Yes', lead: 'Yes' },
	{ act: 'notices', team_email: 'mallory@evil.example' },
	{ act: 'member_added', name: 'Mallory', phone: '+14155550101' },
	{ act: 'member_removed', place: '0' },
	{ act: 'member_moved', place: '0' },
	{ act: 'member_off', place: '0' },
	{ act: 'member_on', place: '0' },
	{ act: 'person_invited', address: 'mallory@evil.example', role: 'owner' },
	{ act: 'person_removed', address: 'owner@shop.example' },
	{ act: 'sessions_ended' },
] as const;

it('a link that one browser has used opens nothing in another one', async () => {
	const shop = await newShop();
	const link = await linkTo(shop.owner);
	const fields = { workspace: shop.id };
	expect((await send(link, { fields })).status).toBe(303);
	const later = await send(link, { fields, headers: { 'user-agent': 'another browser' } });
	expect([later.status, codeOf(later), later.headers.get('set-cookie')]).toEqual([410, 'link_used', null]);
});

it("a member's session changes nothing that is for owners, with any form, from any page", async () => {
	const shop = await newShop();
	const mia = await signIn(shop.member, shop.id);
	const { store } = await operator();
	const before = await store.get('workspace', { id: shop.id });
	for (const fields of FOR_OWNERS) {
		for (const page of ['today', 'numbers']) {
			const answer = await post(mia, page, fields);
			expect([fields.act, answer.status, codeOf(answer)]).toEqual([fields.act, 403, 'owners_only']);
		}
	}
	expect(await store.get('workspace', { id: shop.id })).toEqual(before);
});

it('a form with the token or the page of another shop changes nothing', async () => {
	const [shop, other] = [await newShop(), await newShop()];
	const [ida, eve] = [await signIn(shop.owner, shop.id), await signIn(other.owner, other.id)];
	const { store } = await operator();
	const before = await store.get('workspace', { id: shop.id });
	for (const fields of FOR_OWNERS) {
		expect((await post({ ...ida, token: eve.token }, 'today', fields)).status).toBe(403);
	}
	// What the other shop's forms have seen is not what this one has.
	const [, seen = ''] = /name="seen" value="([^"]+)"/.exec((await send(desk('pages/site'), eve)).html) ?? [];
	const site = { act: 'site', seen, name: 'Mallory', origins: 'https://evil.example', language: 'de' };
	expect(codeOf(await post(ida, 'site', site))).toBe('changed_meanwhile');
	expect(await store.get('workspace', { id: shop.id })).toEqual(before);
});

it('the ids of another shop reach nothing, in every field and parameter that takes one', async () => {
	const [shop, other] = [await newShop(), await newShop()];
	const lead = await leaveNumber(other, freshTalker(), 'Grace');
	const asked = await call(stack.base_url, '/widget/call-requests', {
		headers: { origin: other.allowed_origin },
		body: visitorBody(other, { phone: freshTalker(), name: 'Grace', page_url: `${other.allowed_origin}/` }),
	});
	const ida = await signIn(shop.owner, shop.id);
	for (const fields of [
		{ act: 'lead_handled', id: lead },
		{ act: 'lead_dismissed', id: lead },
		{ act: 'lead_called', id: lead },
		{ act: 'number_suppressed', of: 'callback_lead', id: lead },
		{ act: 'number_suppressed', of: 'call', id: asked.json.data.id },
	]) {
		expect([fields, codeOf(await post(ida, 'today', fields))]).toEqual([fields, 'not_found']);
	}
	for (const path of ['today', 'today?before={}', 'today?waiting={}', 'log?before={}', 'calls.csv', 'leads.csv']) {
		const { html } = await send(desk(`pages/${path.replace('{}', `7${lead.slice(1)}`)}`), ida);
		expect([path, html.includes('Grace')]).toEqual([path, false]);
	}
	const { store } = await operator();
	expect((await store.get('callback_lead', { id: lead }))?.status).toBe('pending');
	expect(await store.get('callback_link', { lead_id: lead })).toEqual(
		await store.get('callback_link', { lead_id: lead }),
	);
	// Neither name nor session of one shop opens the link of the other.
	expect(codeOf(await send(await linkTo(other.owner), { ...ida, fields: { workspace: shop.id } }))).toBe(
		'link_not_valid',
	);
});

it('markup in every text that a shop stores is text on every page and in every mail', async () => {
	const shop = await newShop();
	await changeWorkspace(
		shop.id,
		{
			name: MARKUP,
			team: [`${MARKUP}:+13125550101`],
			consent_texts: { en: { call: MARKUP, lead: MARKUP } },
		},
		await operator(),
	);
	await leaveNumber(shop, freshTalker(), MARKUP);
	const ida = await signIn(shop.owner, shop.id);
	await post(ida, 'people', { act: 'person_invited', address: 'zoe@shop.example', role: 'member' });
	for (const page of ['today', 'numbers', 'hours', 'team', 'site', 'notices', 'people', 'log']) {
		const { status, html } = await send(desk(`pages/${page}`), ida);
		expect([page, status, html.includes('<script')]).toEqual([page, 200, false]);
	}
	const look = new URLSearchParams({ greeting: MARKUP, accent: MARKUP });
	expect((await send(desk(`pages/site?${look}`), ida)).html).not.toContain('<script');
	const mail = await mailTo('zoe@shop.example');
	expect(mail.html).not.toContain('<script');
	expect(mail.subject).toBe('You are invited to the desk of Ida "›‹script›alert(1)‹/script›');
});

it('a line break in a name, an address or a form begins no header, in answers and in mails', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const [, seen = ''] = /name="seen" value="([^"]+)"/.exec((await send(desk('pages/site'), ida)).html) ?? [];
	const name = 'Shop\r\nBcc: all@evil.example';
	const site = { act: 'site', seen, name, origins: shop.allowed_origin, language: 'en' };
	expect((await post(ida, 'site', site)).status).toBe(303);
	expect((await (await operator()).store.get('workspace', { id: shop.id }))?.name).toBe('Shop Bcc: all@evil.example');
	for (const address of [
		'zoe@shop.example\r\nBcc: all@evil.example',
		'zoe@shop.example,all@evil.example',
		'Zoe <z@x.example>',
	]) {
		expect(codeOf(await post(ida, 'people', { act: 'person_invited', address, role: 'member' }))).toBe(
			'validation_failed',
		);
		const asked = await send(desk('sign-in'), { fields: { address } });
		expect([asked.status, asked.headers.get('bcc')]).toEqual([200, null]);
	}
	const opened = await send(desk('links/x%0d%0aset-cookie:%20a=b'));
	expect([opened.status, opened.headers.get('set-cookie')]).toEqual([404, null]);
	const invite = { act: 'person_invited', address: 'bo@shop.example', role: 'member' };
	expect((await post(ida, 'people', invite)).status).toBe(303);
	const { subject } = await mailTo(invite.address);
	expect(subject).toBe('You are invited to the desk of Shop Bcc: all (at) evil. example');
});

it('every change is in the audit list, with who made it and when', async () => {
	const shop = await newShop();
	const [ida, mia] = [await signIn(shop.owner, shop.id), await signIn(shop.member, shop.id)];
	await post(ida, 'today', { act: 'paused', for: 'hour' });
	await post(mia, 'today', { act: 'resumed' });
	const { html } = await send(desk('pages/log'), ida);
	const lines = [
		...html.matchAll(/<li><p><bdi dir="ltr">([^<]+)<\/bdi> ([^<]+)<\/p>\n<p class="soft"><time datetime="([^"]+)"/g),
	];
	expect(lines.map(([, who, what]) => `${who} ${what}`)).toEqual([
		`${shop.member} opened again`,
		`${shop.owner} paused calls`,
		`${shop.member} signed in`,
		`${shop.owner} signed in`,
	]);
	for (const [, , , at = ''] of lines) expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(600_000);
});

it('a session that is used gets its cookie again, so that the browser keeps it 30 days from then', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	expect((await send(desk('pages/today'), ida)).headers.get('set-cookie')).toBeNull();
	const { store } = await operator();
	const id = sessionId(Buffer.from(ida.cookie.split('=')[1] ?? '', 'base64url'));
	const session = await store.get('desk_session', { id });
	if (session === null) throw new Error('no session');
	const item = { ...session, expires_at_epoch_s: session.expires_at_epoch_s - 2 * 24 * 3600 };
	await store.commit([{ op: 'put', record: 'desk_session', item, guard: { if: 'always' } }]);
	const { headers } = await send(desk('pages/today'), ida);
	expect(headers.get('set-cookie')).toBe(`${ida.cookie}; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax`);
	expect((await store.get('desk_session', { id }))?.expires_at_epoch_s).toBeGreaterThan(item.expires_at_epoch_s);
});
