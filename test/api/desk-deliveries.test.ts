import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Stack } from '../../local/stack.ts';
import { HEALTHY } from '../../shared/domain/webhooks/circuit-breaker.ts';
import type { Fields } from '../../shared/http/edge/form-fields.ts';
import { putNext } from '../../shared/use-cases/kernel/unit-of-work.ts';
import { eventually } from '../support/stack/api.ts';
import { developerDesk } from '../support/stack/developers.ts';
import { testStack } from '../support/stack/stack.ts';
import { freshTalker } from '../support/webhooks/customers.ts';
import { startHttpsReceiver } from '../support/webhooks/https-receiver.ts';

// Tests how a developer reads deliveries at the desk and sends one of them again, on a running stack.

let stack: Stack;
let receiver: Awaited<ReturnType<typeof startHttpsReceiver>>;
beforeAll(async () => {
	receiver = await startHttpsReceiver();
	// Retries come so late that none of them happens between the steps of a test.
	stack = await testStack({ ...receiver.options, retry_schedule: '0,3600' });
});
afterAll(() => Promise.all([stack.stop(), receiver.stop()]));

const { operator, pageAt, send, post, codeOf, leaveNumber, signIn, ...desk } = developerDesk(() => stack);
const { developedShop, formOf } = desk;
type Shop = Awaited<ReturnType<typeof developedShop>>;

/** Fills in the shop's form to create an endpoint. The endpoint's URL has this path. */
async function endpointAt({ id, dev }: Shop, path: string, fields: Fields = {}): Promise<string> {
	const form = await formOf(dev, 'webhooks', 'endpoint_created');
	await post(dev, 'webhooks', { ...form, url: receiver.url(path), ...fields });
	return (await (await operator()).store.endpointsOf(id)).at(-1)?.id ?? '';
}
const deliveriesOf = async ({ id }: Shop) =>
	(await operator()).store.list('delivery', id, { from_id: null, before_id: null, limit: 100 });
/** A visitor leaves a number. Returns the deliveries of the shop after each has been attempted. */
async function triedDeliveries(shop: Shop) {
	await leaveNumber(shop, freshTalker(), 'Mia');
	return eventually('the deliveries were tried', async () => {
		const all = await deliveriesOf(shop);
		return all.length > 0 && all.every(({ last_attempt }) => last_attempt !== null) ? all : null;
	});
}
const shown = async ({ dev }: Shop, page: string) => (await send(pageAt(page), dev)).html;

it('the list shows a failing delivery first, and the delivery’s page shows the answer, its time and the reason; a button sends the delivery again', async () => {
	const shop = await developedShop();
	await endpointAt(shop, '/orders?token=in-query');
	const answer = `<b>no room</b> ${'x'.repeat(1000)}`;
	receiver.answers(({ path }) => (path.startsWith('/orders') ? { status: 503, body: answer } : { status: 204 }));
	const [delivery] = await triedDeliveries(shop);
	const page = await shown(shop, 'deliveries');
	for (const part of [
		'<h2>Not delivered</h2>',
		'Callback requested',
		'callback.requested',
		'Answered 503',
		'Next attempt',
	])
		expect([part, page.includes(part)]).toEqual([part, true]);
	// In the list, the delivery shows the beginning of the receiver's answer, without the HTML tags.
	expect([page.includes('>no room xxx'), page.includes('&lt;b&gt;'), page.includes('in-query')]).toEqual([
		true,
		false,
		false,
	]);
	const whole = await shown(shop, `deliveries?id=${delivery?.id}`);
	for (const part of ['Answered 503', '503 http_status', 'TTFB', '&lt;b&gt;no room&lt;/b&gt;'])
		expect([part, whole.includes(part)]).toEqual([part, true]);
	expect([
		whole.includes('x'.repeat(1000)),
		whole.includes('in-query'),
		whole.includes(delivery?.event_id ?? ''),
	]).toEqual([true, false, true]);
	receiver.answers(() => ({ status: 204 }));
	const again = await post(shop.dev, 'deliveries', await formOf(shop.dev, 'deliveries', 'delivery_retried'));
	const location = again.headers.get('location') ?? '';
	expect([again.status, location]).toEqual([303, `deliveries?id=${delivery?.id}&saved=retried`]);
	expect(await shown(shop, location)).toContain('It is being sent again now.');
	const done = await eventually('it has arrived', async () => {
		const html = await shown(shop, `deliveries?id=${delivery?.id}`);
		return html.includes('Delivered') ? html : null;
	});
	expect([done.includes('Attempt 1'), done.includes('Attempt 2'), done.includes('503 http_status')]).toEqual([
		true,
		true,
		true,
	]);
	expect(done.indexOf('Attempt 2')).toBeLessThan(done.indexOf('Attempt 1'));
	const list = await shown(shop, 'deliveries');
	expect([list.includes('<h2>Not delivered</h2>'), list.includes('delivery_retried')]).toEqual([false, false]);
	expect(await shown(shop, 'log')).toContain('sent a delivery of <bdi>callback.requested</bdi> again');
});

it('on Today, an owner sees the deliveries that failed for good, each with the button that sends it again', async () => {
	const shop = await developedShop();
	await endpointAt(shop, '/one');
	receiver.answers(() => ({ status: 500 }));
	await triedDeliveries(shop);
	await leaveNumber(shop, freshTalker(), 'Ada');
	const tried = await eventually('both deliveries were tried', async () => {
		const all = await deliveriesOf(shop);
		return all.length > 1 && all.every(({ last_attempt }) => last_attempt !== null) ? all : null;
	});
	const ended = tried.map((each) => ({ ...each, version: each.version + 1, status: 'failed', due_at: null }) as const);
	// The endpoint is healthy again, so its failures are below those who wait.
	const [endpoint] = await (await operator()).store.endpointsOf(shop.id);
	if (endpoint === undefined) throw new Error('the shop has no endpoint');
	const healthy = { ...endpoint, version: endpoint.version + 1, health: HEALTHY };
	await (await operator()).store.commit([
		putNext('webhook_endpoint', healthy),
		...ended.map((each) => putNext('delivery', each)),
	]);
	const page = await shown({ ...shop, dev: await signIn(shop.owner, shop.id) }, 'today');
	for (const { id } of ended) expect(page).toContain(`deliveries?id=${id}"`);
});
