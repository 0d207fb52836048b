import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stack } from '../../local/stack.ts';
import type { Fields } from '../../shared/http/request.ts';
import { eventually } from '../support/stack/api.ts';
import { developerDesk } from '../support/stack/developers.ts';
import { formsIn } from '../support/stack/forms-in-page.ts';
import { testStack } from '../support/stack/stack.ts';
import { freshTalker } from '../support/webhooks/customers.ts';
import { startHttpsReceiver } from '../support/webhooks/https-receiver.ts';

// What a developer reads of deliveries on the desk and sends again, and what others try.

let stack: Stack;
let receiver: Awaited<ReturnType<typeof startHttpsReceiver>>;
beforeAll(async () => {
	receiver = await startHttpsReceiver();
	// No attempt by itself comes between those of the tests.
	stack = await testStack({ ...receiver.options, retry_schedule: '0,3600' });
});
afterAll(() => Promise.all([stack.stop(), receiver.stop()]));

const { operator, pageAt, send, post, codeOf, leaveNumber, ...desk } = developerDesk(() => stack);
const { developedShop, formOf } = desk;
type Shop = Awaited<ReturnType<typeof developedShop>>;

/** The shop's endpoint at this path, made by the form. */
async function endpointAt({ id, dev }: Shop, path: string, fields: Fields = {}): Promise<string> {
	const form = await formOf(dev, 'webhooks', 'endpoint_created');
	await post(dev, 'webhooks', { ...form, url: receiver.url(path), ...fields });
	return (await (await operator()).store.endpointsOf(id)).at(-1)?.id ?? '';
}
const deliveriesOf = async ({ id }: Shop) =>
	(await operator()).store.list('delivery', id, { from_id: null, before_id: null, limit: 100 });
/** A visitor leaves a number; the deliveries of that event, once each has been tried. */
async function triedDeliveries(shop: Shop) {
	await leaveNumber(shop, freshTalker(), 'Mia');
	return eventually('the deliveries were tried', async () => {
		const all = await deliveriesOf(shop);
		return all.length > 0 && all.every(({ last_attempt }) => last_attempt !== null) ? all : null;
	});
}
const shown = async ({ dev }: Shop, page: string) => (await send(pageAt(page), dev)).html;

it('a delivery that fails stands first, with its status, times, hint and a part of the answer, and is sent again by a button', async () => {
	const shop = await developedShop();
	await endpointAt(shop, '/orders?token=in-query');
	const answer = `<b>no room</b> ${'x'.repeat(1000)}`;
	receiver.answers(({ path }) => (path.startsWith('/orders') ? { status: 503, body: answer } : { status: 204 }));
	const [delivery] = await triedDeliveries(shop);
	const page = await shown(shop, 'deliveries');
	for (const part of ['<h2>Not delivered</h2>', 'callback.requested', '503 http_status', 'TTFB', 'Next attempt']) {
		expect([part, page.includes(part)]).toEqual([part, true]);
	}
	expect(page).toContain('&lt;b&gt;no room&lt;/b&gt;');
	expect([page.includes('x'.repeat(300)), page.includes('…'), page.includes('in-query')]).toEqual([false, true, false]);
	const whole = await shown(shop, `deliveries?id=${delivery?.id}`);
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
	expect(await shown(shop, 'log')).toContain('sent a delivery of callback.requested again');
});

it('the list is narrowed by endpoint, state and event type, at an address that can be shared', async () => {
	const shop = await developedShop();
	const good = await endpointAt(shop, '/good');
	const bad = await endpointAt(shop, '/bad');
	receiver.answers(({ path }) => ({ status: path === '/bad' ? 503 : 204 }));
	await triedDeliveries(shop);
	const links = async (query: string) =>
		[...(await shown(shop, `deliveries?${query}`)).matchAll(/href="deliveries\?id=(\w+)"/g)].map(([, id]) => id);
	const all = await deliveriesOf(shop);
	const idsTo = (endpoint_id: string) => all.filter((each) => each.endpoint_id === endpoint_id).map(({ id }) => id);
	expect(await links(`endpoint_id=${good}`)).toEqual(idsTo(good));
	// What is tried again stands first, and among all.
	expect(await links(`endpoint_id=${bad}`)).toEqual([...idsTo(bad), ...idsTo(bad)]);
	expect(await links(`endpoint_id=${bad}&state=pending`)).toEqual(idsTo(bad));
	expect(await links('state=succeeded')).toEqual(idsTo(good));
	expect(await links('state=succeeded&event=call.failed')).toEqual([]);
	expect(await links('event=callback.requested&state=succeeded')).toEqual(idsTo(good));
	// What is no choice narrows nothing, and is not repeated on the page.
	const odd = 'state=__proto__&endpoint_id=<script>&event=constructor&before=%00&id=../../x';
	expect([(await links(odd)).length, (await shown(shop, `deliveries?${odd}`)).includes('<script>')]).toEqual([
		(await links('')).length,
		false,
	]);
	const chosen = await shown(shop, `deliveries?endpoint_id=${good}&state=succeeded`);
	expect(chosen).toContain(`<option value="${good}" selected>`);
	expect(chosen).toContain('<option value="succeeded" selected>');
	expect(await shown(shop, `webhooks?id=${good}`)).toContain(`href="deliveries?endpoint_id=${good}"`);
});

describe('a delivery that cannot be sent again', () => {
	it('says why: its endpoint is disabled, or deleted meanwhile', async () => {
		const shop = await developedShop();
		const endpoint_id = await endpointAt(shop, '/turned-off');
		receiver.answers(() => ({ status: 500 }));
		const [delivery] = await triedDeliveries(shop);
		const page = `deliveries?id=${delivery?.id}`;
		const form = await formOf(shop.dev, page, 'delivery_retried');
		const endpoint = `webhooks?id=${endpoint_id}`;
		await post(shop.dev, endpoint, await formOf(shop.dev, endpoint, 'endpoint_disabled'));
		const disabled = await post(shop.dev, page, { ...form, shown: '1' });
		expect([disabled.status, codeOf(disabled)]).toEqual([409, 'endpoint_disabled']);
		await post(shop.dev, endpoint, await formOf(shop.dev, endpoint, 'endpoint_deleted'));
		const deleted = await post(shop.dev, page, { ...form, shown: '2' });
		expect([deleted.status, codeOf(deleted)]).toEqual([409, 'endpoint_deleted']);
		expect(deleted.html).toContain('The endpoint has been deleted.');
		expect(formsIn(deleted.html).some(({ action }) => action === 'delivery_retried')).toBe(false);
		expect(receiver.posts.filter(({ path }) => path === '/turned-off').length).toBe(1);
	});

	it('of another shop is not shown and not sent, whatever the form says', async () => {
		const [shop, other] = [await developedShop(), await developedShop()];
		await endpointAt(shop, '/private');
		receiver.answers(() => ({ status: 500 }));
		const [delivery] = await triedDeliveries(shop);
		const form = await formOf(shop.dev, 'deliveries', 'delivery_retried');
		const before = await deliveriesOf(shop);
		const page = await send(pageAt(`deliveries?id=${delivery?.id}`), other.dev);
		expect([page.status, page.html.includes('/private'), page.html.includes('No deliveries.')]).toEqual([
			200,
			false,
			true,
		]);
		const tried = await post(other.dev, 'deliveries', { ...form, token: other.dev.token });
		expect([tried.status, codeOf(tried)]).toEqual([409, 'not_found']);
		const [narrowed] = before;
		const narrow = await send(pageAt(`deliveries?endpoint_id=${narrowed?.endpoint_id}`), other.dev);
		expect([narrow.status, narrow.html.includes(narrowed?.id ?? '-')]).toEqual([200, false]);
		expect(await deliveriesOf(shop)).toEqual(before);
	});
});

it('a form that is pressed twice sends once', async () => {
	const shop = await developedShop();
	await endpointAt(shop, '/twice');
	receiver.answers(({ path }) => ({ status: path === '/twice' ? 500 : 204 }));
	await triedDeliveries(shop);
	const form = await formOf(shop.dev, 'deliveries', 'delivery_retried');
	const answers = await Promise.all([1, 2, 3].map(() => post(shop.dev, 'deliveries', form)));
	expect([...new Set(answers.map(({ status, headers }) => `${status} ${headers.get('location')}`))].length).toBe(1);
	const [tried] = await eventually('it was tried again', async () => {
		const all = await deliveriesOf(shop);
		return (all[0]?.attempt_count ?? 0) > 1 && all[0]?.lease_until === null ? all : null;
	});
	expect([tried?.attempt_count, receiver.posts.filter(({ path }) => path === '/twice').length]).toEqual([2, 2]);
});
