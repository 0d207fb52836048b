import { expect, it } from '@jest/globals';
import type { SentMail } from '../../local/aws/mail.ts';
import { hashOf } from '../../shared/domain/kernel/link-token.ts';
import { changeWorkspace } from '../../shared/use-cases/workspaces/change-workspace.ts';
import { call, eventually, inOneWindow, mailbox, visitorBody } from '../support/stack/api.ts';
import { deskForms, deskShops } from '../support/stack/desk-shops.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';
import { freshTalker } from '../support/webhooks/customers.ts';
import { always, put } from '../support/writes.ts';

const stack = suiteStack();

const shops = deskShops(() => stack);
const { operator, newShop, linkTo, leaveNumber } = shops;
const { desk, send, signIn, post, codeOf } = deskForms(() => stack, shops);
const MARKUP = `Ida "><script>alert(1)</script>`;

const mailTo = (address: string): Promise<SentMail> =>
	eventually(`a mail to ${address}`, async () => {
		return (await mailbox(stack)).find(({ to }) => to === address) ?? null;
	});

it('an owner cannot flood a mailbox with invitations: 3 in ten minutes, and no more changes, links for others or by operators', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const stranger = 'stranger@elsewhere.example';
	const invite = (address: string) => post(ida, 'people', { action: 'person_invited', address, role: 'member' });
	const answers = await inOneWindow(async () => {
		const codes = [];
		for (const address of [stranger, stranger.toUpperCase(), ` ${stranger}`, stranger, stranger]) {
			const answer = await invite(address);
			await post(ida, 'people', { action: 'person_removed', address: stranger });
			codes.push(answer.status === 303 ? 'invited' : codeOf(answer));
		}
		return codes;
	});
	expect(answers).toEqual(['invited', 'invited', 'invited', 'invited_enough', 'invited_enough']);
	expect(await (await operator()).store.desksOf(stranger)).toEqual([]);
	expect((await invite('another@elsewhere.example')).status).toBe(303);
	// Links that strangers ask for use up no invitation.
	for (let n = 0; n < 4; n += 1) await send(desk('sign-in'), { fields: { address: 'new@elsewhere.example' } });
	expect((await invite('new@elsewhere.example')).status).toBe(303);
	await shops.invite(shop.id, stranger, 'member');
	await linkTo(stranger);
});

it('a form with the token or the page of another shop changes nothing', async () => {
	const [shop, other] = [await newShop(), await newShop()];
	const [ida, eve] = [await signIn(shop.owner, shop.id), await signIn(other.owner, other.id)];
	const { store } = await operator();
	const before = await store.get('workspace', { id: shop.id });
	expect((await post({ ...ida, token: eve.token }, 'today', { action: 'paused', for: 'day' })).status).toBe(403);
	// What the other shop's forms have seen is not what this one has.
	const [, seen = ''] = /name="seen" value="([^"]+)"/.exec((await send(desk('pages/site'), eve)).html) ?? [];
	const site = { action: 'site', seen, name: 'Mallory', origins: 'https://evil.example', language: 'de' };
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
	const { store } = await operator();
	for (const fields of [
		{ action: 'lead_handled', id: lead },
		{ action: 'lead_dismissed', id: lead },
		{ action: 'lead_reopened', id: lead },
		{ action: 'lead_called', id: lead },
		{ action: 'number_suppressed', of: 'callback_lead', id: lead },
		{ action: 'number_suppressed', of: 'call', id: asked.json.data.id },
	]) {
		expect([fields, codeOf(await post(ida, 'today', fields))]).toEqual([fields, 'not_found']);
	}
	expect((await post(ida, 'people', { action: 'person_removed', address: other.owner })).status).toBe(409);
	for (const path of ['today', 'today?before={}', 'today?waiting={}', 'log?before={}', 'calls.csv', 'leads.csv']) {
		const { html } = await send(desk(`pages/${path.replace('{}', `7${lead.slice(1)}`)}`), ida);
		expect([path, html.includes('Grace')]).toEqual([path, false]);
	}
	expect((await store.get('callback_lead', { id: lead }))?.status).toBe('pending');
	// What an action writes is in one transaction with its audit entry.
	const actions = async ({ id }: { readonly id: string }) =>
		(await store.list('desk_change', id, { from_id: null, before_id: null, limit: 10 })).map(({ change }) => change);
	expect([await actions(shop), await actions(other)]).toEqual([['signed_in'], []]);
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
	await post(ida, 'people', { action: 'person_invited', address: 'zoe@shop.example', role: 'member' });
	for (const page of ['today', 'numbers', 'hours', 'team', 'site', 'notices', 'people', 'log']) {
		const { status, html } = await send(desk(`pages/${page}`), ida);
		const others = html.replace('<script src="desk.js" defer></script>', '');
		expect([page, status, others.includes('<script')]).toEqual([page, 200, false]);
	}
	const look = new URLSearchParams({ greeting: MARKUP, accent: MARKUP });
	const preview = await send(desk(`pages/preview?${look}`), ida);
	expect(preview.html.match(/<script[^>]*>/g)).toEqual([expect.stringMatching(/^<script src="[^"]+" async>$/)]);
	expect(preview.headers.get('content-security-policy')).toMatch(
		/^sandbox allow-scripts; default-src 'none'; script-src http/,
	);
	const mail = await mailTo('zoe@shop.example');
	expect(mail.html).not.toContain('<script');
	expect(mail.subject).toBe('You are invited to the callback desk of Ida "›‹script›alert(1)‹/script›');
});

it('a line break in a name, an address or a form begins no header, in answers and in mails', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const [, seen = ''] = /name="seen" value="([^"]+)"/.exec((await send(desk('pages/site'), ida)).html) ?? [];
	const name = 'Shop\r\nBcc: all@evil.example';
	const site = { action: 'site', seen, name, origins: shop.allowed_origin, language: 'en' };
	expect((await post(ida, 'site', site)).status).toBe(303);
	expect((await (await operator()).store.get('workspace', { id: shop.id }))?.name).toBe('Shop Bcc: all@evil.example');
	for (const address of [
		'zoe@shop.example\r\nBcc: all@evil.example',
		'zoe@shop.example,all@evil.example',
		'Zoe <z@x.example>',
	]) {
		expect(codeOf(await post(ida, 'people', { action: 'person_invited', address, role: 'member' }))).toBe(
			'validation_failed',
		);
		const asked = await send(desk('sign-in'), { fields: { address } });
		expect([asked.status, asked.headers.get('bcc')]).toEqual([200, null]);
	}
	const opened = await send(desk('links/x%0d%0aset-cookie:%20a=b'));
	expect([opened.status, opened.headers.get('set-cookie')]).toEqual([404, null]);
	const invite = { action: 'person_invited', address: 'bo@shop.example', role: 'member' };
	expect((await post(ida, 'people', invite)).status).toBe(303);
	const { subject } = await mailTo(invite.address);
	expect(subject).toBe('You are invited to the callback desk of Shop Bcc: all (at) evil. example');
});

it('every change is in the audit list, with who made it and when', async () => {
	const shop = await newShop();
	const [ida, mia] = [await signIn(shop.owner, shop.id), await signIn(shop.member, shop.id)];
	await post(ida, 'today', { action: 'paused', for: 'hour' });
	await post(mia, 'today', { action: 'resumed' });
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
	const id = hashOf(Buffer.from(ida.cookie.split('=')[1] ?? '', 'base64url'));
	const session = await store.get('desk_session', { id });
	if (session === null) throw new Error('no session');
	const item = { ...session, expires_at_epoch_s: Math.floor(Date.now() / 1000) + 28 * 24 * 3600 };
	await store.commit([put('desk_session', item, always)]);
	const { headers } = await send(desk('pages/today'), ida);
	expect(headers.get('set-cookie')).toBe(`${ida.cookie}; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax`);
	expect((await store.get('desk_session', { id }))?.expires_at_epoch_s).toBeGreaterThan(item.expires_at_epoch_s);
});
