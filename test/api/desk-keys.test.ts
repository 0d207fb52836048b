import { expect, it } from '@jest/globals';
import { periodAt } from '../../shared/domain/workspaces/rate-limit.ts';
import { call, eventually, mailbox } from '../support/stack/api.ts';
import { developerDesk } from '../support/stack/developers.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';
import { bearer, newKey } from '../support/webhooks/customers.ts';

// What a developer does with API keys on the desk, and what others try.

const stack = suiteStack();

const desk = developerDesk(() => stack);
const { operator, pageAt, send, signIn, post, codeOf, developedShop, formOf, everythingKept } = desk;
type Session = Awaited<ReturnType<typeof signIn>>;

/** Sends the form for a new key, and returns the page that it leads to. */
async function createKey(session: Session, name: string, ticks: readonly string[] = ['calls:read']) {
	const form = await formOf(session, 'keys', 'key_created');
	const fields = { ...form, key_name: name, ...Object.fromEntries(ticks.map((tick) => [tick, 'yes'])) };
	const { status, headers } = await post(session, 'keys', fields);
	return { fields, status, location: headers.get('location') ?? '' };
}
const SECRET = /cbk_live_\w{26}_[\w-]{47}/;
const keysOf = async (workspace_id: string) =>
	(await operator()).store.list('api_key', workspace_id, { from_id: null, before_id: null, limit: 100 });
const calls = (key: string) => call(stack.base_url, '/calls', { headers: bearer(key) });

it('a new key is shown once, works until it is revoked, and every owner reads of it', async () => {
	const { id, owner, member, developer, dev } = await developedShop();
	await desk.invite(id, `second-${owner}`, 'owner');
	const { status, location } = await createKey(dev, 'Booking server', ['calls:read', 'webhooks:read']);
	expect([status, location]).toEqual([303, expect.stringMatching(/^keys\?made=[\w-]{43}$/)]);
	// A program that only looks uses nothing up.
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
		expect(html).toContain(`<bdi dir="ltr">${developer}</bdi> created the API key Booking server`);
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
	expect((await send(pageAt('log'), dev)).html).toContain('revoked the API key Booking server');
	// Revoking it again is no other entry.
	await post(dev, 'keys', { ...revoke, shown: 'later' });
	expect((await send(pageAt('log'), dev)).html.split('revoked the API key').length).toBe(2);
});

it('a form that is pressed twice makes one key, which both presses lead to; a replayed one shows nothing', async () => {
	const { id, dev } = await developedShop();
	const form = await formOf(dev, 'keys', 'key_created');
	const fields = { ...form, key_name: 'Twice', 'calls:read': 'yes' };
	const answers = await Promise.all([1, 2, 3].map(() => post(dev, 'keys', fields)));
	const locations = answers.map(({ headers }) => headers.get('location'));
	expect(new Set(locations).size).toBe(1);
	expect(await keysOf(id)).toHaveLength(1);
	expect((await send(pageAt(locations[0] ?? ''), dev)).html).toMatch(SECRET);
	const again = await post(dev, 'keys', fields);
	expect([again.status, again.headers.get('location')]).toEqual([303, locations[0]]);
	expect((await send(pageAt(locations[0] ?? ''), dev)).html).not.toMatch(SECRET);
	expect(await keysOf(id)).toHaveLength(1);
});

it('the page with a secret shows nothing to another session, of the same person or of another shop', async () => {
	const { id, developer, dev } = await developedShop();
	const stranger = await developedShop();
	const { location } = await createKey(dev, 'Mine');
	await send(desk.desk('sign-in'), { fields: { address: developer } });
	const other = await signIn(developer, id);
	for (const session of [other, stranger.dev]) {
		const { status, html } = await send(pageAt(location), session);
		expect([status, SECRET.test(html)]).toEqual([200, false]);
	}
	expect((await send(pageAt(location), dev)).html).toMatch(SECRET);
});

it("another shop's key cannot be revoked, by its id in any field", async () => {
	const [shop, other] = [await developedShop(), await developedShop()];
	const { key, secret } = await newKey(await operator(), shop.id, ['calls:read']);
	await createKey(other.dev, 'Own');
	const form = await formOf(other.dev, 'keys', 'key_revoked');
	for (const fields of [
		{ ...form, id: key.id },
		{ ...form, id: key.id.toLowerCase() },
		{ ...form, id: '' },
		{ ...form, id: `${key.id}\u0000` },
		{ ...form, workspace_id: shop.id, id: key.id },
	]) {
		const answer = await post(other.dev, 'keys', { ...fields, shown: `${Math.random()}` });
		expect([fields.id, [409, 422].includes(answer.status)]).toEqual([fields.id, true]);
	}
	expect((await calls(secret)).status).toBe(200);
	expect((await send(pageAt('keys'), other.dev)).html).not.toContain(key.id);
});

it('a key needs a name that can be seen and a permission; markup in a name stays text', async () => {
	const { id, dev } = await developedShop();
	for (const [name, ticks] of [
		['', ['calls:read']],
		['\u200b\u2060', ['calls:read']],
		['x'.repeat(101), ['calls:read']],
		['No permission', []],
		['Unknown', ['calls:everything']],
	] as const) {
		expect([name, (await createKey(dev, name, ticks)).status]).toEqual([name, 422]);
	}
	const form = await formOf(dev, 'keys', 'key_created');
	const refused = await post(dev, 'keys', { ...form, key_name: 'Kept', 'webhooks:read': '' });
	expect([codeOf(refused), refused.html.includes('value="Kept"')]).toEqual(['validation_failed', true]);
	expect(refused.html).toContain('please check “Permissions”');
	expect(await keysOf(id)).toEqual([]);
	const name = '"><script>alert(1)</script>';
	const { location } = await createKey(dev, name);
	for (const page of [location, 'keys', 'log']) {
		const { html } = await send(pageAt(page), dev);
		expect([page, html.includes('<script>'), html.includes('&lt;script&gt;alert(1)')]).toEqual([page, false, true]);
	}
});

it('of twenty keys at once, as many are made as the day has left', async () => {
	const { id, dev } = await developedShop();
	const { store } = await operator();
	const form = await formOf(dev, 'keys', 'key_created');
	const day = periodAt(24 * 3600, Date.now());
	for (let n = 0; n < 18; n += 1)
		await store.count({
			op: 'count',
			counter: `desk-secrets#${id}#${day.begins}`,
			limits: { used: 30 },
			expires_at_epoch_s: day.epoch_s,
		});
	const answers = await Promise.all(
		Array.from({ length: 20 }, (_, n) => post(dev, 'keys', { ...form, key_name: `Key ${n}`, 'calls:read': 'yes' })),
	);
	const codes = answers.map((answer) => (answer.status === 303 ? 'created' : codeOf(answer)));
	expect(codes.filter((code) => code === 'created')).toHaveLength(12);
	expect(codes.filter((code) => code === 'secrets_enough')).toHaveLength(8);
	expect(await keysOf(id)).toHaveLength(12);
	// The list has pages: none is cut in silence.
	const pages = [(await send(pageAt('keys'), dev)).html];
	const [, next = ''] = /href="(keys\?before=\w+)"/.exec(pages[0] ?? '') ?? [];
	pages.push((await send(pageAt(next), dev)).html);
	expect(new Set(pages.join('').match(/Key \d+(?=<)/g)).size).toBe(12);
});
