import { describe, expect, it } from '@jest/globals';
import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import type { Fields } from '../../../shared/http/edge/form-fields.ts';
import { samples } from '../../support/sample-records.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
import { put } from '../../support/writes.ts';

// Tests which deliveries a developer can see and send again at the desk, and that people of another shop reach none of them.

const { deps, store, pageAt, send, signIn, post, codeOf, developedShop, formOf } = deskInMemory();
type Shop = Awaited<ReturnType<typeof developedShop>>;

/** Uses the shop's form to create an endpoint. The endpoint's URL has this path. */
async function endpointAt({ id, dev }: Shop, path: string, fields: Fields = {}): Promise<string> {
	const form = await formOf(dev, 'webhooks', 'endpoint_created');
	await post(dev, 'webhooks', { ...form, url: `https://receiver.example${path}`, ...fields });
	return (await store.endpointsOf(id)).at(-1)?.id ?? '';
}
const FAILED = { ...samples.delivery_attempt.attempt, response_status: 503 };
/** Stores a delivery to an endpoint of the shop, and returns its id. By default, the delivery will be retried. */
async function keepDelivery(shop: Shop, endpoint_id: string, changes: Partial<Delivery>): Promise<string> {
	const event = { event: 'callback.requested', event_id: deps.ids.next(), subject_id: deps.ids.next() } as const;
	const own = { id: deps.ids.next(), workspace_id: shop.id, endpoint_id };
	const item = { ...samples.delivery, attempt_count: 1, ...event, ...own, ...changes };
	await store.commit([put('delivery', item)]);
	return item.id;
}
const shown = async ({ dev }: Shop, page: string) => (await send(pageAt(page), dev)).html;
const deliveriesOf = ({ id }: Shop) => store.list('delivery', id, { from_id: null, before_id: null, limit: 100 });

it('the list is narrowed by endpoint, state and event type, at an address that can be shared', async () => {
	const shop = await developedShop();
	const good = await endpointAt(shop, '/good');
	const bad = await endpointAt(shop, '/bad');
	await keepDelivery(shop, good, { status: 'succeeded', due_at: null, next_attempt_at: null });
	await keepDelivery(shop, bad, { last_attempt: FAILED });
	const links = async (query: string) =>
		[...(await shown(shop, `deliveries?${query}`)).matchAll(/href="deliveries\?id=(\w+)"/g)].map(([, id]) => id);
	const all = await deliveriesOf(shop);
	const idsTo = (endpointId: string) => all.filter((each) => each.endpoint_id === endpointId).map(({ id }) => id);
	expect(await links(`endpoint_id=${good}`)).toEqual(idsTo(good));
	// Deliveries that will be retried are listed first, and not again below.
	expect(await links(`endpoint_id=${bad}`)).toEqual(idsTo(bad));
	expect((await links('')).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
	expect(await links(`endpoint_id=${bad}&state=pending`)).toEqual(idsTo(bad));
	expect(await links('state=succeeded')).toEqual(idsTo(good));
	expect(await links('state=succeeded&event=call.failed')).toEqual([]);
	expect(await links('event=callback.requested&state=succeeded')).toEqual(idsTo(good));
	// An unknown value of a filter is ignored, and the page does not repeat it.
	const odd = 'state=__proto__&endpoint_id=<script>&event=constructor&before=%00&id=../../x';
	expect([(await links(odd)).length, (await shown(shop, `deliveries?${odd}`)).includes('<script>')]).toEqual([
		(await links('')).length,
		false,
	]);
	const chosen = await shown(shop, `deliveries?endpoint_id=${good}&state=succeeded`);
	const current = [...chosen.matchAll(/href="(deliveries[^"]*)" aria-current="true"/g)].map(([, href]) => href);
	const here = `deliveries?endpoint_id=${good}&amp;state=succeeded`;
	expect(current).toEqual([here, here, here]);
	expect(chosen).toContain(`href="deliveries?endpoint_id=${good}"`);
	expect(chosen).toContain('href="deliveries?state=succeeded"');
	expect(await shown(shop, `webhooks?id=${good}`)).toContain(`href="deliveries?endpoint_id=${good}"`);
});

describe('a delivery that cannot be sent again', () => {
	it('says why: its endpoint is disabled, or was deleted in the meantime', async () => {
		const shop = await developedShop();
		const endpointId = await endpointAt(shop, '/turned-off');
		const page = `deliveries?id=${await keepDelivery(shop, endpointId, { last_attempt: FAILED })}`;
		const form = await formOf(shop.dev, page, 'delivery_retried');
		const endpoint = `webhooks?id=${endpointId}`;
		await post(shop.dev, endpoint, await formOf(shop.dev, endpoint, 'endpoint_disabled'));
		const disabled = await post(shop.dev, page, { ...form, shown: '1' });
		expect([disabled.status, codeOf(disabled)]).toEqual([409, 'endpoint_disabled']);
		await post(shop.dev, endpoint, await formOf(shop.dev, endpoint, 'endpoint_deleted'));
		const deleted = await post(shop.dev, page, { ...form, shown: '2' });
		expect([deleted.status, codeOf(deleted)]).toEqual([409, 'endpoint_deleted']);
		expect(deleted.html).toContain('The endpoint has been deleted.');
		expect(formsIn(deleted.html).some(({ action }) => action === 'delivery_retried')).toBe(false);
	});
});

it('pressing the button of a form twice sends the delivery once', async () => {
	const shop = await developedShop();
	const id = await keepDelivery(shop, await endpointAt(shop, '/twice'), {
		status: 'failed',
		due_at: null,
		next_attempt_at: null,
		last_attempt: FAILED,
	});
	const form = await formOf(shop.dev, 'deliveries', 'delivery_retried');
	const answers = await Promise.all([1, 2, 3].map(() => post(shop.dev, 'deliveries', form)));
	expect([...new Set(answers.map(({ status, headers }) => `${status} ${headers.get('location')}`))].length).toBe(1);
	expect((await store.get('delivery', { id }))?.generation).toBe(samples.delivery.generation + 1);
});

it('a delivery of another shop is neither shown nor sent again, whatever the form says', async () => {
	const shop = await developedShop();
	const other = await developedShop();
	const id = await keepDelivery(shop, await endpointAt(shop, '/private'), { last_attempt: FAILED });
	const form = await formOf(shop.dev, 'deliveries', 'delivery_retried');
	const before = await deliveriesOf(shop);
	const page = await send(pageAt(`deliveries?id=${id}`), other.dev);
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

it('a delivery links to its call or callback request by its id, for owners and developers', async () => {
	const shop = await developedShop();
	const owner = await signIn(shop.owner, shop.id);
	const endpointId = await endpointAt(shop, '/linked');
	for (const [event, query] of [
		['callback.requested', 'lead'],
		['call.failed', 'id'],
	] as const) {
		const subject_id = deps.ids.next();
		const page = `deliveries?id=${await keepDelivery(shop, endpointId, { event, subject_id, last_attempt: FAILED })}`;
		const link = `<a href="../pages/calls?${query}=${subject_id}"><code dir="ltr">${subject_id}</code></a>`;
		expect((await send(pageAt(page), owner)).html).toContain(link);
		expect(await shown(shop, page)).toContain(link);
	}
});
