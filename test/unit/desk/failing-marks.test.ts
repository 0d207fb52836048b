import { expect, it } from '@jest/globals';
import { derivedId } from '../../../shared/domain/kernel/id.ts';
import { chatRecipient, failingRecipient, mailRecipient } from '../../../shared/domain/notices/failing-recipient.ts';
import { HEALTHY } from '../../../shared/domain/webhooks/circuit-breaker.ts';
import type { Attempt, Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { samples } from '../../support/sample-records.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
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
	[...html.matchAll(/<span>([^<]+)<\/span> <b class="mark">/g)].map(([, label = '']) => label);

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

it('of twenty failing endpoints, three are listed, the other 17 are only counted, and the mark says how many fail', async () => {
	const { ida } = await shopWith(...Array.from({ length: 20 }, () => ({ ...failing, description: 'ا'.repeat(200) })));
	const html = await page(ida, 'pages/today');
	expect(html.match(/<b class="mark">20<span class="unseen"> \(Failing\)/g)).toHaveLength(2);
	const note = noteOf(html);
	expect([note.match(/webhooks\?id=/g)?.length, note.includes('<bdi>+17</bdi>')]).toEqual([3, true]);
	expect(note.length).toBeLessThan(1500);
});

it('the response to a refused form has the mark, but not the card', async () => {
	const { ida } = await shopWith(failing);
	const { status, html } = await post(ida, 'today', { action: 'paused', for: 'never' });
	expect([status, noteOf(html), marked(html)]).toEqual([422, '', ['More', 'Webhooks']]);
});

/** Stores a delivery to an endpoint that was made this many hours ago. */
async function delivered(
	{ id: workspace_id }: { readonly id: string },
	endpointId: string | undefined,
	hoursAgo: number,
	changes: Partial<Delivery>,
): Promise<string> {
	const atMs = now.ms - hoursAgo * 3_600_000;
	const id = derivedId(atMs, `${workspace_id} ${endpointId} ${hoursAgo}`);
	const created_at = new Date(atMs).toISOString();
	const about = { id, workspace_id, endpoint_id: endpointId ?? '', created_at };
	await store.commit([put('delivery', { ...samples.delivery, ...about, ...changes })]);
	return id;
}
const attemptAt = (atMs: number, response_status: number, response_body: string): Attempt => ({
	...samples.delivery_attempt.attempt,
	started_at: new Date(atMs).toISOString(),
	response_status,
	response_body,
	error: 'http_status',
});

it('the card says what a failing endpoint answered last, leads to that delivery, and has a button that sends it again', async () => {
	const shop = await shopWith(failing);
	const [endpoint] = shop.ids;
	await delivered(shop, endpoint, 3, { last_attempt: attemptAt(now.ms, 503, 'older') });
	const next_attempt_at = new Date(now.ms + 3_600_000).toISOString();
	const last_attempt = attemptAt(now.ms, 500, '{"request":"r-1","error":"stock","message":"no stock"}');
	const id = await delivered(shop, endpoint, 2, { last_attempt, next_attempt_at });
	await delivered(shop, endpoint, 1, { last_attempt: null });
	const html = await page(shop.ida, 'pages/today');
	const note = noteOf(html);
	expect(note).toContain(
		`<a href="../developers/deliveries?id=${id}">Call requested: <strong>Answered 500 <bdi lang="en">Internal Server Error`,
	);
	expect(note).toContain('<code>stock: no stock</code>');
	expect(note).toMatch(/state=pending">Waiting: <bdi>3</);
	expect(note).not.toContain('older');
	expect(note).toContain('<form method="post" action="../developers/deliveries">');
	const [form = {}] = formsIn(note);
	const sent = await post(shop.ida, 'deliveries', form);
	expect([sent.status, sent.headers.get('location')]).toEqual([303, `deliveries?id=${id}&saved=retried`]);
});

it('an unreachable endpoint, whose newest deliveries wait without an attempt, shows its last failure', async () => {
	const at = (hours: number) => new Date(now.ms - hours * 3_600_000).toISOString();
	const shop = await shopWith({ health: { ...HEALTHY, failing_since: at(24) } });
	const [endpoint] = shop.ids;
	const id = await delivered(shop, endpoint, 23, { last_attempt: attemptAt(now.ms, 502, 'gateway') });
	for (let hours = 1; hours <= 12; hours += 1) await delivered(shop, endpoint, hours, {});
	const note = noteOf(await page(shop.ida, 'pages/today'));
	expect(note).toContain(`deliveries?id=${id}`);
	expect(note).toMatch(/Waiting: <bdi>10\+</);
});

it('a delivery that failed for good today or yesterday is on Today and in the row of its endpoint, until it is sent again', async () => {
	const shop = await shopWith({});
	const [endpoint] = shop.ids;
	const failed = { status: 'failed', next_attempt_at: null, due_at: null } as const;
	await delivered(shop, endpoint, 90, { ...failed, last_attempt: attemptAt(now.ms - 60 * 3_600_000, 400, 'older') });
	const last_attempt = attemptAt(now.ms - 3_600_000, 422, 'No campaign');
	const id = await delivered(shop, endpoint, 73, { ...failed, last_attempt });
	const html = await page(shop.ida, 'pages/today');
	expect(noteOf(html)).toContain('>Failed<');
	expect(noteOf(html)).toContain(`<a href="../developers/deliveries?id=${id}">Call requested: <strong>Answered 422`);
	// People who wait come first, then what failed, then the calls.
	expect(html).toMatch(/<h2>To call back<.*id="lost".*<h2>Calls</s);
	expect(await page(shop.ida, 'developers/deliveries')).toMatch(/Last attempt: (\d|Yesterday)/);
	expect([noteOf(html).includes('older'), marked(html)]).toEqual([false, []]);
	expect(await page(shop.ida, 'developers/webhooks')).toContain(`deliveries?id=${id}">Call requested`);
	const own = await page(shop.ida, `developers/webhooks?id=${endpoint}`);
	expect(noteOf(own)).toMatch(/>Failed<.*Answered 422.*No campaign.*Send again now/s);
	expect([own.match(/Answered 422/g)?.length, own.includes('Last failed attempt')]).toEqual([1, false]);
	const before = await store.get('delivery', { id });
	if (before === null) throw new Error('no delivery');
	const again = { ...before, status: 'pending', version: before.version + 1 } as const;
	await store.commit([put('delivery', again, always)]);
	expect(noteOf(await page(shop.ida, 'pages/today'))).toBe('');
	expect(await page(shop.ida, 'developers/webhooks')).not.toContain(`deliveries?id=${id}`);
});

it.each([
	[3, ''],
	[4, 'and 1 more'],
	[5, 'and at least 2 more'],
	[9, 'and at least 2 more'],
])(
	'of %d deliveries that failed for good, Today names three, and says how many more there are: "%s"',
	async (count, more) => {
		const shop = await shopWith({});
		const [endpoint] = shop.ids;
		const failed = { status: 'failed', next_attempt_at: null, due_at: null } as const;
		for (let nth = 1; nth <= count; nth += 1) {
			await delivered(shop, endpoint, nth, { ...failed, last_attempt: attemptAt(now.ms - nth, 422, 'No campaign') });
		}
		const note = noteOf(await page(shop.ida, 'pages/today'));
		expect(note.match(/>Failed</g)).toHaveLength(3);
		const [, words = ''] = /<p><a href="\.\.\/developers\/deliveries\?state=missed">(.*?)<\/a><\/p>/.exec(note) ?? [];
		expect(words).toBe(more);
	},
);

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
