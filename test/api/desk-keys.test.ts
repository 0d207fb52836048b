import { expect, it } from '@jest/globals';
import { call, eventually, mailbox } from '../support/stack/api.ts';
import { developerDesk } from '../support/stack/developers.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';
import { bearer } from '../support/webhooks/customers.ts';

// Tests what a developer does with API keys at the desk, on a running stack, and who is notified of it.

const stack = suiteStack();

const desk = developerDesk(() => stack);
const { operator, pageAt, send, signIn, post, developedShop, createKey, formOf, everythingKept } = desk;

const SECRET = /cbk_live_\w{26}_[\w-]{47}/;
const keysOf = async (workspaceId: string) =>
	(await operator()).store.list('api_key', workspaceId, { from_id: null, before_id: null, limit: 100 });
const calls = (key: string) => call(stack.base_url, '/calls', { headers: bearer(key) });

it('a new key is shown once and works until it is revoked, and every owner is notified of it', async () => {
	const { id, owner, member, developer, dev } = await developedShop();
	await desk.invite(id, `second-${owner}`, 'owner');
	const { status, location } = await createKey(dev, 'Booking server', ['calls:read', 'webhooks:read']);
	expect([status, location]).toEqual([303, expect.stringMatching(/^keys\?made=[\w-]{43}$/)]);
	// A program may request the page with HEAD. HEAD must not use up the secret, which the page shows only once.
	const head = await fetch(pageAt(location), { method: 'HEAD', headers: { cookie: dev.cookie } });
	expect([head.status, head.headers.get('cache-control')]).toEqual([200, 'no-store']);
	const shown = await send(pageAt(location), dev);
	const [key = ''] = SECRET.exec(shown.html) ?? [];
	expect([shown.headers.get('cache-control'), shown.html.includes('Booking server')]).toEqual(['no-store', true]);
	expect((await calls(key)).status).toBe(200);
	expect((await call(stack.base_url, '/calls/x/cancel', { method: 'POST', headers: bearer(key) })).status).toBe(403);
	for (const page of [location, 'keys', 'log', 'keys?saved'])
		expect([page, SECRET.test((await send(pageAt(page), dev)).html)]).toEqual([page, false]);
	expect((await send(pageAt(location), dev)).html).toContain('It was shown once');
	expect(await everythingKept()).not.toContain(key.slice(-47));

	const [made] = await keysOf(id);
	const ida = await signIn(owner, id);
	for (const session of [dev, ida]) {
		const { html } = await send(pageAt('log'), session);
		expect(html).toContain(
			`<bdi dir="ltr">${developer}</bdi></td><td class="what">created the API key <bdi>Booking server</bdi>`,
		);
	}
	const mailsTo = async (address: string) =>
		(await mailbox(stack)).filter(({ to, text }) => to === address && text.includes('Booking server'));
	for (const address of [owner, `second-${owner}`]) {
		const [mail, ...more] = await eventually(`the mail to ${address}`, async () => {
			const mails = await mailsTo(address);
			return mails.length > 0 ? mails : null;
		});
		expect([mail?.subject, more]).toEqual(['There is a new API key: Booking server', []]);
		expect(mail?.text).toContain(developer);
		expect(mail?.text).toContain(`${stack.base_url}/desk/developers/keys`);
	}
	for (const address of [member, developer]) expect(await mailsTo(address)).toEqual([]);

	expect((await send(pageAt('keys'), dev)).html).toMatch(/last used/);
	const revoke = await formOf(dev, 'keys', 'key_revoked', made?.id);
	expect((await post(dev, 'keys', revoke)).status).toBe(303);
	const refused = await calls(key);
	expect([refused.status, refused.json.code]).toEqual([401, 'unauthenticated']);
	expect((await send(pageAt('log'), dev)).html).toContain('revoked the API key <bdi>Booking server</bdi>');
	// Revoking the key again adds no audit entry.
	await post(dev, 'keys', { ...revoke, shown: 'later' });
	expect((await send(pageAt('log'), dev)).html.split('revoked the API key').length).toBe(2);
});
