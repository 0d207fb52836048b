import { expect, it } from '@jest/globals';
import { chatRecipient, failingRecipient, mailRecipient } from '../../../shared/domain/notices/failing-recipient.ts';
import { HEALTHY } from '../../../shared/domain/webhooks/circuit-breaker.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { subscribed } from '../../support/webhooks/deliveries.ts';
import { always, put } from '../../support/writes.ts';

// The page Today and the menu show that something fails, to those who may see the page on which it can be mended.

const { developedShop, newShop, signIn, send, desk, pageAt, post, store, now } = deskInMemory();

type Changes = Partial<WebhookEndpoint>;
const failing: Changes = { health: { ...HEALTHY, failing_since: '2026-11-23T10:05:00.000Z', consecutive_failures: 3 } };
const given = (reason: WebhookEndpoint['disabled_reason']): Changes => ({
	status: 'disabled',
	disabled_reason: reason,
});

async function shopWith(...endpoints: readonly Changes[]) {
	const shop = await developedShop();
	const kept = endpoints.map((changes, nth) =>
		subscribed(`receiver-${nth}`, now.ms + nth, { workspace_id: shop.id, ...changes }),
	);
	await store.commit(kept.map((item) => put('webhook_endpoint', item)));
	const [ida, mia] = [await signIn(shop.owner, shop.id), await signIn(shop.member, shop.id)];
	return { ...shop, ida, mia, ids: kept.map(({ id }) => id) };
}
type Session = Awaited<ReturnType<typeof signIn>>;
const page = async (session: Session, name: string): Promise<string> => (await send(desk(name), session)).html;
const noteOf = (html: string): string => /<section class="card alert".*?<\/section>/s.exec(html)?.[0] ?? '';
/** The labels of the menu's marked entries. */
const marked = (html: string): readonly string[] =>
	[...html.matchAll(/<span>([^<]+)<\/span><b class="mark">/g)].map(([, label = '']) => label);

it('an owner reads on Today which endpoint fails and since when, and every page marks Webhooks and More', async () => {
	const { ida, ids } = await shopWith({}, { ...failing, description: 'Orders <1>' });
	const html = await page(ida, 'pages/today');
	expect(noteOf(html)).toContain(`<a href="../developers/webhooks?id=${ids[1]}"><bdi>Orders &lt;1&gt;</bdi></a>`);
	expect(noteOf(html)).toMatch(/>Failing<.*Every attempt has failed since Mon, Nov 23/s);
	for (const name of ['pages/today', 'pages/calls', 'pages/people', 'developers/keys', 'developers/webhooks'])
		expect([name, marked(await page(ida, name))]).toEqual([name, ['More', 'Webhooks']]);
	expect([noteOf(await page(ida, 'pages/calls')), html.includes('receiver-0')]).toEqual(['', false]);
});

it('a developer sees the mark on every page that developers may see', async () => {
	const { dev } = await shopWith(failing);
	for (const name of ['pages/log', 'developers/webhooks', 'developers/deliveries', 'developers/keys'])
		expect([name, marked(await page(dev, name))]).toEqual([name, ['Webhooks']]);
});

it('a member sees neither the note nor the mark', async () => {
	const { mia } = await shopWith(failing);
	const html = await page(mia, 'pages/today');
	expect([noteOf(html), marked(html), html.includes('receiver-0')]).toEqual(['', [], false]);
});

it.each([
	['a healthy endpoint', {}, false],
	['an endpoint that a person disabled', given('manual'), false],
	['an endpoint that a person disabled while it failed', { ...failing, ...given('manual') }, false],
	['an endpoint that was disabled because it failed for days', { ...failing, ...given('failing') }, true],
	['an endpoint that was disabled because it answered 410', given('gone'), true],
] as const)('%s (%j) is shown on Today and in the menu: %s', async (_, changes, shows) => {
	const { ida } = await shopWith(changes);
	const html = await page(ida, 'pages/today');
	expect([noteOf(html) !== '', marked(html).length > 0]).toEqual([shows, shows]);
	if (shows) expect(noteOf(html)).toContain('>Disabled<');
});

it('of twenty failing endpoints, three are listed and the other 17 are only counted', async () => {
	const { ida } = await shopWith(...Array.from({ length: 20 }, () => ({ ...failing, description: 'ا'.repeat(200) })));
	const note = noteOf(await page(ida, 'pages/today'));
	expect([note.match(/webhooks\?id=/g)?.length, note.includes('<bdi>+17</bdi>')]).toEqual([3, true]);
	expect(note.length).toBeLessThan(1500);
});

it('the response to a refused form also has the note and the mark', async () => {
	const { ida } = await shopWith(failing);
	const { status, html } = await post(ida, 'today', { action: 'paused', for: 'never' });
	expect([status, noteOf(html) !== '', marked(html)]).toEqual([422, true, ['More', 'Webhooks']]);
});

it.each(['mail', 'chat'] as const)('an owner reads on Today why no message arrives by %s', async (channel) => {
	const shop = await newShop('US');
	const team_webhook = { origin: 'https://chat.example', sealed: `sealed ${shop.id}` };
	const before = await store.get('workspace', { id: shop.id });
	if (before?.team_email == null) throw new Error('no address');
	const workspace = { ...before, version: before.version + 1, team_webhook };
	const recipient = channel === 'mail' ? mailRecipient(before.team_email) : (chatRecipient(workspace) ?? '');
	await store.commit([put('workspace', workspace, always)]);
	const ida = await signIn(shop.owner, shop.id);
	expect(noteOf(await page(ida, 'pages/today'))).toBe('');
	const failed = failingRecipient(recipient, 'http_404', null, now.ms);
	await store.commit([put('failing_recipient', failed, always)]);
	const note = noteOf(await page(ida, 'pages/today'));
	expect(note).toContain('<a href="notices">Notifications</a>');
	expect(note).toContain(channel === 'mail' ? before.team_email : 'https://chat.example');
	expect(note).toContain('http_404');
	const mia = await signIn(shop.member, shop.id);
	expect(noteOf(await page(mia, 'pages/today'))).toBe('');
	expect(noteOf((await send(pageAt('notices'), ida)).html)).toBe('');
});
