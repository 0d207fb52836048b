import { expect, it } from '@jest/globals';
import { periodAt } from '../../../shared/domain/access/rate-limit.ts';
import { createApiKey } from '../../../shared/use-cases/access/api-keys.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';

// Tests what a developer can do with API keys at the desk, and that people of another shop reach none of them.

const { deps, store, now, pageAt, send, signIn, post, codeOf, developedShop, createKey, formOf } = deskInMemory();

const SECRET = /cbk_live_\w{26}_[\w-]{47}/;
const keysOf = async (workspaceId: string) =>
	store.list('api_key', workspaceId, { from_id: null, before_id: null, limit: 100 });

it('pressing the button of a form twice makes one key, which both presses show; a replayed form shows nothing', async () => {
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

it('the page with a secret shows no secret to another session of the same person, nor to a session of another shop', async () => {
	const { id, developer, dev } = await developedShop();
	const stranger = await developedShop();
	const { location } = await createKey(dev, 'Mine');
	const other = await signIn(developer, id);
	for (const session of [other, stranger.dev]) {
		const { status, html } = await send(pageAt(location), session);
		expect([status, SECRET.test(html)]).toEqual([200, false]);
	}
	expect((await send(pageAt(location), dev)).html).toMatch(SECRET);
});

it('a key of another shop cannot be revoked by its id, in any field of a form', async () => {
	const shop = await developedShop();
	const other = await developedShop();
	const made = await createApiKey({ workspace_id: shop.id, name: 'test', permissions: ['calls:read'] }, deps);
	if ('refused' in made) throw new Error(made.refused);
	const { key } = made;
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
	expect((await store.get('api_key', { id: key.id }))?.revoked_at).toBeNull();
	expect((await send(pageAt('keys'), other.dev)).html).not.toContain(key.id);
});

it('a key needs a visible name and a permission; markup in a name stays text', async () => {
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
	expect(refused.html).toMatch(/aria-describedby="permissions-wrong" aria-invalid="true" autofocus>/);
	expect(refused.html).toContain('id="permissions-wrong">Choose at least one permission.');
	const nameless = await post(dev, 'keys', { ...form, key_name: ' ', 'calls:read': 'yes', shown: 'later' });
	expect(nameless.html).toContain('id="key_name-wrong">Enter a name.');
	expect(nameless.html).toMatch(/name="calls:read" value="yes" checked/);
	const tooLong = await post(dev, 'keys', { ...form, key_name: 'x'.repeat(101), 'calls:read': 'yes', shown: 'later' });
	expect(tooLong.html).toContain('id="key_name-wrong">Enter a name of at most 100 characters.');
	expect(await keysOf(id)).toEqual([]);
	const name = '"><script>alert(1)</script>';
	const { location } = await createKey(dev, name);
	for (const page of [location, 'keys', 'log']) {
		const { html } = await send(pageAt(page), dev);
		expect([page, html.includes('<script>'), html.includes('&lt;script&gt;alert(1)')]).toEqual([page, false, true]);
	}
});

it('twenty requests for a key at once make as many keys as the limit of the day allows', async () => {
	const { id, dev } = await developedShop();
	const form = await formOf(dev, 'keys', 'key_created');
	const day = periodAt(24 * 3600, now.ms);
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
	// The list is paged, so that every key can be reached.
	const pages = [(await send(pageAt('keys'), dev)).html];
	const [, next = ''] = /href="(keys\?before=\w+)"/.exec(pages[0] ?? '') ?? [];
	pages.push((await send(pageAt(next), dev)).html);
	expect(new Set(pages.join('').match(/Key \d+(?=<)/g)).size).toBe(12);
});
