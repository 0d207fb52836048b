import { expect, it } from '@jest/globals';
import type { SentMail } from '../../local/aws/mail.ts';
import { hashOf } from '../../shared/domain/kernel/link-token.ts';
import { changeWorkspace } from '../../shared/use-cases/workspaces/change-workspace.ts';
import { eventually, mailbox } from '../support/stack/api.ts';
import { deskForms, deskShops } from '../support/stack/desk-shops.ts';
import { formsIn } from '../support/stack/forms-in-page.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';
import { freshTalker } from '../support/webhooks/customers.ts';
import { always, put } from '../support/writes.ts';

// Tests that attackers gain nothing at the desk or in its mails, with another person's session or with texts of their own.

const stack = suiteStack();

const shops = deskShops(() => stack);
const { operator, newShop, leaveNumber } = shops;
const { desk, send, signIn, post, codeOf } = deskForms(() => stack, shops);
const MARKUP = `Ida "><script>alert(1)</script>`;

const mailTo = (address: string): Promise<SentMail> =>
	eventually(`a mail to ${address}`, async () => {
		return (await mailbox(stack)).find(({ to }) => to === address) ?? null;
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
		const others = html.replace(/<script src="\.\.\/pages\/desk\.js\?v=[\w-]+" defer><\/script>/, '');
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

it('a line break in a name, an address or a form adds no header to a response or a mail', async () => {
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
		expect([asked.status, asked.headers.get('bcc')]).toEqual([422, null]);
	}
	const opened = await send(desk('links/x%0d%0aset-cookie:%20a=b'));
	expect([opened.status, opened.headers.get('set-cookie')]).toEqual([404, null]);
	const invite = { action: 'person_invited', address: 'bo@shop.example', role: 'member' };
	expect((await post(ida, 'people', invite)).status).toBe(303);
	const { subject } = await mailTo(invite.address);
	expect(subject).toBe('You are invited to the callback desk of Shop Bcc: all (at) evil. example');
});

it('using a session renews its cookie, so that the browser keeps it for 30 more days', async () => {
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

it('text that an owner wrote makes no link and mentions no one in a mail', async () => {
	const shop = await newShop('US', { name: '[Win](https://evil.example)@all' });
	const ida = await signIn(shop.owner, shop.id);
	const [mail] = (await mailbox(stack)).filter(({ to }) => to === shop.owner);
	for (const part of [mail?.subject, mail?.text, mail?.html])
		expect(part).toContain('[Win] (https evil. example) (at) all');
	expect(ida.cookie).not.toBe('');
});

it('a form that no browser would send is refused, and changes nothing', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const { store } = await operator();
	const before = await store.get('workspace', { id: shop.id });
	const form = `token=${ida.token}&action=paused&for=hour`;
	const typed = 'application/x-www-form-urlencoded';
	for (const [type, body, expected] of [
		['text/plain', form, 415],
		['multipart/form-data; boundary=x', form, 415],
		['application/json', '{"action":"paused"}', 415],
		[typed, `${form}&x=%ff`, 422],
		[typed, `${form}&x=%E0%80%80`, 422],
		[typed, Buffer.concat([Buffer.from(`${form}&x=`), Buffer.from([0xff])]), 422],
		[typed, `${form}&x=%`, 422],
	] as const) {
		const headers = { cookie: ida.cookie, origin: new URL(stack.base_url).origin, 'content-type': type };
		const answer = await fetch(desk('pages/today'), { method: 'POST', headers, body, redirect: 'manual' });
		expect([type, body, answer.status]).toEqual([type, body, expected]);
	}
	expect(await store.get('workspace', { id: shop.id })).toEqual(before);
	expect((await post(ida, 'today', { action: 'paused', for: 'hour' })).status).toBe(303);
});

it('a thief with a session at the desk cannot mail text to strangers, however many addresses for notifications the thief enters', async () => {
	const shop = await newShop();
	const thief = await signIn(shop.owner, shop.id);
	const entered = [];
	for (let nth = 0; nth < 25; nth += 1) {
		const address = `stranger-${nth}-of-${shop.id}@elsewhere.example`.toLowerCase();
		const { html } = await send(desk('pages/notices'), thief);
		const form = formsIn(html).find(({ action }) => action === 'notices') ?? {};
		entered.push(codeOf(await post(thief, 'notices', { ...form, team_email: address })) ?? 'asked');
		if (nth % 5 === 0) await leaveNumber(shop, freshTalker(), 'Win a prize');
	}
	expect(entered.filter((said) => said === 'asked')).toHaveLength(20);
	expect(entered.at(-1)).toBe('desk_invited_enough');
	await eventually('the address of before gets the requests', async () => {
		const own = (await mailbox(stack)).filter(({ to }) => [to].flat().includes(shop.owner));
		return own.filter(({ text }) => text.includes('Win a prize')).length >= 5 ? true : null;
	});
	// The settings had each of the 20 addresses only until the next one replaced it. If it was replaced before its mail was due,
	// it got no mail.
	const strangers = (await mailbox(stack)).filter(({ to }) => String(to).startsWith('stranger-'));
	expect(strangers.length).toBeLessThanOrEqual(20);
	expect(strangers.filter(({ text }) => text.includes('Win a prize'))).toEqual([]);
});
