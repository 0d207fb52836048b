import type { Bench } from '../bench/bench.ts';
import { present, slowly } from '../bench/parts.ts';
import type { LiveCalls } from './calls.ts';
import type { Leads } from './leads.ts';
import { api, type People, type Shop, visitor, widget } from './people.ts';
import { CHAT, type Shops } from './shops.ts';

export type Endpoint = {
	readonly id: string;
	readonly shop: Shop;
	readonly url: string;
	readonly secrets: readonly string[];
};

const EVERY = [
	'call.requested',
	'call.ringing',
	'call.connected',
	'call.completed',
	'call.failed',
	'callback.requested',
];
const HOUR_MS = 3_600_000;

/** Creates endpoints that accept, fail, refuse or are gone, before there are any events. */
export async function openEndpoints({ json, ops }: People, { full, plain }: Shops) {
	async function create(shop: Shop, url: string, more: object = {}): Promise<Endpoint> {
		const { data } = await json(api(shop, 'POST', '/webhook-endpoints', { url, events: EVERY, ...more }));
		return { id: data.id, shop, url, secrets: [data.secret] };
	}
	const good = await create(full, 'https://hooks.example/200', { description: 'shop', headers: { 'X-Team': 'ours' } });
	const rotated = await create(full, 'https://rotated.example/200');
	const { data } = await json(
		api(full, 'POST', `/webhook-endpoints/${rotated.id}/rotate-secret`, { overlap_seconds: 86_400 }),
	);
	const failing = await create(full, 'https://failing.example/500', { events: ['call.requested'] });
	const unreachable = await create(full, 'https://unreachable.example/down', { events: ['call.requested'] });
	const gone = await create(full, 'https://gone.example/410', { events: ['call.requested'] });
	const off = await create(full, 'https://off.example/200', { events: ['call.completed'] });
	const deleted = await create(full, 'https://deleted.example/500', { events: ['call.requested'] });
	const plainGood = await create(plain, 'https://plain-hooks.example/200');
	await ops('endpoint', 'disable', '--workspace', full.id, '--endpoint', off.id);
	return {
		good,
		rotated: { ...rotated, secrets: [data.secret, ...rotated.secrets] },
		failing,
		unreachable,
		gone,
		off,
		deleted,
		plainGood,
	};
}
export type Endpoints = Awaited<ReturnType<typeof openEndpoints>>;

/** Lets time pass so that deliveries end in each possible way: exhausted, held, canceled, sent again. */
export async function ageDeliveries(bench: Bench, people: People, { full }: Shops, endpoints: Endpoints) {
	const { json, must } = people;
	await must(api(full, 'DELETE', `/webhook-endpoints/${endpoints.deleted.id}`));
	// This time is longer than the whole retry schedule of the first events.
	await bench.pass(96 * HOUR_MS, HOUR_MS);
	const of = async (query: string) => (await json(api(full, 'GET', `/webhook-deliveries?${query}`))).data;
	const [failed] = await of('status=failed');
	const [succeeded] = await of(`status=succeeded&endpoint_id=${endpoints.good.id}`);
	// An operator sends one dead letter again by a redrive.
	const isLetter = ({ queue }: { readonly queue: string }) => queue === 'dead-letters';
	const at = bench.messages.findIndex(
		({ body }) => body.includes(endpoints.unreachable.id) && body.includes('exhausted'),
	);
	const others = bench.messages.filter((each, n) => isLetter(each) && n !== at);
	const kept = bench.messages.filter((each) => !others.includes(each));
	bench.messages.splice(0, Infinity, ...kept);
	await people.ops('dlq', 'replay');
	bench.messages.push(...others);
	await bench.settle();
	// One delivery is sent successfully twice, so that its first attempt becomes a separate record.
	await must(api(full, 'POST', `/webhook-deliveries/${succeeded?.id}/retry`, {}));
	await bench.settle();
	if (failed === undefined || succeeded === undefined) throw new Error('no delivery has failed, or none succeeded');
	return { failed: failed.id as string, succeeded: succeeded.id as string };
}

/** Makes a delivery and a notice whose function died while it was sending, so that they keep their lease. */
export async function dieWhileSending(bench: Bench, people: People, { full }: Shops, endpoints: Endpoints) {
	bench.answers.set(endpoints.rotated.url, '/dies');
	bench.answers.set(CHAT, '/dies');
	const { id } = await people.request(full);
	await people.miss(id);
	await people.must(widget(full, 'POST', '/callback-leads', visitor(full, people.nextNumber())));
	await bench.settle();
	bench.answers.clear();
}

/**
 * Requests retries that are not sent before the snapshot, and makes requests with an Idempotency-Key. Returns the requests that
 * a client may repeat.
 */
export async function askAgain(
	{ must }: People,
	{ full }: Shops,
	aged: Awaited<ReturnType<typeof ageDeliveries>>,
	{ gone }: Endpoints,
	{ called }: Leads,
	{ toCancelOnce }: LiveCalls,
) {
	const headers = { 'idempotency-key': 'send it again' };
	const failed = api(full, 'POST', `/webhook-deliveries/${aged.failed}/retry`, {}, headers);
	await must(failed);
	await must(api(full, 'POST', `/webhook-deliveries/${aged.succeeded}/retry`, {}));
	const body = { url: 'https://late.example/200', events: ['call.connected'] };
	const endpoint = api(full, 'POST', '/webhook-endpoints', body, { 'idempotency-key': 'create it once' });
	await must(endpoint);
	const once = { 'idempotency-key': 'do it once' };
	const at = `/webhook-endpoints/${gone.id}`;
	const changed = api(full, 'PATCH', at, { description: 'changed once' }, once);
	const rotated = api(full, 'POST', `${at}/rotate-secret`, { overlap_seconds: 60 }, once);
	const lead = api(full, 'PATCH', `/callback-leads/${called.id}`, { status: 'dismissed' }, once);
	const canceled = api(full, 'POST', `/calls/${toCancelOnce.id}/cancel`, undefined, once);
	for (const each of [changed, rotated, lead, canceled]) await must(each);
	return { failed, endpoint, changed, rotated, lead, canceled };
}

/** Reads the first page of each list; returns the requests for the next pages, which contain the cursors. */
export async function cursors({ json }: People, { full }: Shops) {
	const places = [
		'/calls?limit=2',
		'/webhook-deliveries?limit=2&status=succeeded',
		'/callback-leads?limit=1&status=pending',
	];
	// The first release candidate has no list of events.
	const hasEvents = await json(api(full, 'GET', '/events?limit=1')).then(
		() => true,
		() => false,
	);
	if (hasEvents) places.push('/events?limit=2');
	return Promise.all(
		places.map(async (path) => {
			const { next_cursor } = await json(api(full, 'GET', path));
			if (typeof next_cursor !== 'string') throw new Error(`${path} has no second page`);
			return api(full, 'GET', `${path}&cursor=${next_cursor}`);
		}),
	);
}

/**
 * Makes a recovery that ends early because the table is slow. Returns the request that continues the recovery by its cursor. This
 * request only counts, so it changes nothing.
 */
export async function cutRecovery({ json }: People, { full }: Shops, { failing }: Endpoints) {
	const path = `/webhook-endpoints/${failing.id}/recover`;
	const body = { since: new Date(present.now_ms - 20 * 24 * HOUR_MS).toISOString(), mode: 'missing', dry_run: true };
	const { data } = await slowly(1000, () => json(api(full, 'POST', path, body)));
	if (typeof data.next_cursor !== 'string') throw new Error('the recovery was not cut off');
	return api(full, 'POST', path, { ...body, cursor: data.next_cursor });
}
