import { marshall } from '@aws-sdk/util-dynamodb';
import { WORKER_BUDGET } from '../../../shared/adapters/aws/client/client.ts';
import { type Attributes, toItem } from '../../../shared/adapters/dynamodb/items.ts';
import { dynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { counter } from '../../../shared/adapters/dynamodb/table.ts';
import { sourceOf } from '../../../shared/domain/calls/source.ts';
import { dayOf, namesCounter } from '../../../shared/domain/calls/source-names.ts';
import type { SourceNumbers } from '../../../shared/domain/calls/source-numbers.ts';
import { callTally, quarterAt, shopNumbers, sumUp, tallyCounter } from '../../../shared/domain/calls/tally.ts';
import { idTimePrefix, lowestIdAt } from '../../../shared/domain/kernel/id.ts';
import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import type { Event } from '../../../shared/domain/webhooks/event.ts';
import { deliveryParts, matchesFilters } from '../../../shared/http/webhooks/present-delivery.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { readSources } from '../../../shared/use-cases/calls/read-sources.ts';
import { readTallies } from '../../../shared/use-cases/calls/read-tallies.ts';
import { sourceCodes } from '../../../shared/use-cases/calls/source-codes.ts';
import { listPage, type Page } from '../../../shared/use-cases/kernel/list-page.ts';
import { listEvents } from '../../../shared/use-cases/webhooks/list-events.ts';
import { fillTable } from '../../support/aws/fill-table.ts';
import { startDynamo } from '../../support/aws/stand-ins.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { idOf, samples, WORKSPACE } from '../../support/sample-records.ts';
import { always, put } from '../../support/writes.ts';
import { ms, type Row, row, type Section } from './row.ts';

/**
 * Measures how the cost of a list and of the desk's figures grows with the shop. The lists look for 3 failed deliveries and 3
 * deliveries to a quiet endpoint, behind many that succeeded; the figures cover 30 days of calls. Only the store in memory gets a
 * million records, because the table's stand-in would need an hour for them. The conformance suite checks that both stores read
 * the same items.
 */
export const lists: Section = {
	name: 'lists',
	async run(size) {
		const dynamo = await startDynamo();
		const rows: Row[] = [];
		for (const count of size === 'quick' ? [1000] : [1000, 100_000, 1_000_000]) {
			rows.push(...(await rare('in memory', count, await filledMemory(count))));
			if (count > 100_000) continue;
			const env = await dynamo.newTable();
			await fillTable(
				env,
				Array.from(deliveries(count), (item) => toItem('delivery', item)),
			);
			rows.push(...(await rare('in the table', count, dynamoStore(env, { budget: WORKER_BUDGET }))));
		}
		for (const count of size === 'quick' ? [1000] : [1000, 1_000_000]) {
			rows.push(...(await pagesOfEvents('in memory', count, await withEvents(count))));
		}
		for (const count of size === 'quick' ? [1000] : [1000, 100_000]) {
			const env = await dynamo.newTable();
			await fillTable(
				env,
				Array.from(events(count), (item) => toItem('event', item)),
			);
			rows.push(...(await pagesOfEvents('in the table', count, dynamoStore(env, { budget: WORKER_BUDGET }))));
		}
		for (const count of size === 'quick' ? [1000] : [1000, 100_000, 300_000]) {
			const env = await dynamo.newTable();
			await fillTable(env, await tallies(count));
			rows.push(...(await figures(count, dynamoStore(env, { budget: WORKER_BUDGET }))));
		}
		await dynamo.stop();
		return rows;
	},
};

const NOW_MS = Date.parse('2026-11-25T12:00:00.000Z');
const BUSY = idOf(1);
const QUIET = idOf(2);

/** Deliveries, newest first, each a second older than the previous one. The lists look for the oldest six. */
function* deliveries(count: number): Generator<Delivery> {
	for (let n = 0; n < count; n += 1) {
		const id = idTimePrefix(NOW_MS - n * 1000) + String(n).padStart(16, '0');
		const left = count - n;
		const status = left <= 3 ? 'failed' : 'succeeded';
		const endpoint_id = left > 3 && left <= 6 ? QUIET : BUSY;
		yield { ...samples.delivery, workspace_id: WORKSPACE, id, status, endpoint_id, due_at: null };
	}
}

async function filledMemory(count: number): Promise<Store> {
	const store = memoryStore();
	for (const item of deliveries(count)) {
		await store.commit([put('delivery', item, always)]);
	}
	return store;
}

/**
 * Finds the three failed deliveries, and the three deliveries to the quiet endpoint. Counts the API requests and the records
 * that they read, and measures their time.
 */
async function rare(where: string, count: number, store: Store): Promise<Row[]> {
	const rows: Row[] = [];
	const queries: readonly (readonly [string, Parameters<typeof deliveryParts>[0]])[] = [
		['3 that failed', { limit: 50, status: ['failed'] }],
		['3 of a quiet endpoint', { limit: 50, endpoint_id: QUIET }],
	];
	for (const [what, query] of queries) {
		let requests = 0;
		let read = 0;
		let found = 0;
		const list: Store['list'] = async (...asked) => {
			const items = await store.list(...asked);
			read += items.length;
			return items;
		};
		const beganMs = performance.now();
		for (let before_id: string | null = null; found < 3; requests += 1) {
			const range: Parameters<typeof listPage>[1] = {
				workspace_id: WORKSPACE,
				from_id: null,
				before_id,
				limit: 50,
				parts: deliveryParts(query),
			};
			const page: Page<Delivery> = await listPage('delivery', range, (item) => matchesFilters(item, query), { list });
			found += page.items.length;
			before_id = page.next_before_id;
			if (before_id === null && found < 3) throw new Error('the list has lost some');
		}
		const took = ms(performance.now() - beganMs);
		const title = `${what} of ${count.toLocaleString('en')}, ${where}`;
		rows.push(row(title, '2 requests', `${requests} request${requests === 1 ? '' : 's'}, ${read} read, ${took}`));
	}
	return rows;
}

/** One event per second. The newest is 61 seconds old. */
function* events(count: number): Generator<Event> {
	for (let n = 1; n <= count; n += 1) {
		const atMs = NOW_MS - 60_000 - n * 1000;
		const id = idTimePrefix(atMs) + String(n).padStart(16, '0');
		yield { ...samples.event, workspace_id: WORKSPACE, id, subject_id: id, created_at: new Date(atMs).toISOString() };
	}
}

async function withEvents(count: number): Promise<Store> {
	const store = memoryStore();
	for (const item of events(count)) await store.commit([put('event', item, always)]);
	return store;
}

/**
 * Reads the newest page of 100 events, and one page in the middle of the feed. Returns how many records were read for each
 * page, and the time.
 */
async function pagesOfEvents(where: string, count: number, store: Store): Promise<Row[]> {
	const rows: Row[] = [];
	const middle = lowestIdAt(NOW_MS - 60_000 - (count / 2) * 1000);
	const pages = [
		['newest first', 'desc', null],
		['from the middle of the feed', 'asc', middle],
	] as const;
	for (const [what, order, place] of pages) {
		let read = 0;
		const list: Store['list'] = async (...asked) => {
			const items = await store.list(...asked);
			read += items.length;
			return items;
		};
		const beganMs = performance.now();
		const query = { workspace_id: WORKSPACE, order, limit: 100, place, range: { from_id: null, before_id: null } };
		const page = await listEvents(query, { store: { list }, clock: { now: () => NOW_MS } });
		if (page.outcome === 'expired' || page.events.length < 100) throw new Error('the page is short');
		const took = ms(performance.now() - beganMs);
		rows.push(
			row(`100 events of ${count.toLocaleString('en')}, ${what}, ${where}`, '101 read', `${read} read, ${took}`),
		);
	}
	return rows;
}

/**
 * The visitors in the figures come from this many pages and this many campaigns. Some of these bring many visitors, and others
 * few.
 */
const SOURCES = 50;
const sourceUrl = (n: number): string => {
	const often = (of: number): number => Math.floor(SOURCES ** (((of * 7919) % 10_007) / 10_007)) - 1;
	return `https://shop.example/page-${often(n)}?utm_source=ads&utm_campaign=${often(n * 3)}`;
};

/**
 * The tallies of `count` calls that are spread evenly over 30 days, as the ends of these calls would have left them. Also the
 * names of the calls' pages and campaigns.
 */
async function tallies(count: number): Promise<readonly Attributes[]> {
	const names = memoryStore();
	const days = new Set<string>();
	const [leg] = samples.call.legs;
	if (leg === undefined) throw new Error('the sample has no leg');
	const items = new Map<string, Record<string, string | number>>();
	for (let n = 0; n < count; n += 1) {
		const atMs = NOW_MS - Math.floor((n * 30 * 24 * 3_600_000) / count);
		const created_at = new Date(atMs).toISOString();
		const accepted_at = new Date(atMs + (3 + ((n * 7) % 90)) * 1000).toISOString();
		const id = idTimePrefix(atMs) + String(n).padStart(16, '0');
		const legs = [{ ...leg, accepted_at }];
		const {
			place = '',
			limits,
			expires_at_epoch_s,
		} = callTally(
			{
				...samples.call,
				status: 'completed',
				failure_reason: null,
				legs,
				winner_leg_id: leg.id,
				id,
				created_at,
				workspace_id: WORKSPACE,
			},
			atMs,
			await sourceCodes({ workspace_id: WORKSPACE, created_at, source_url: sourceUrl(n) }, names),
		);
		days.add(dayOf(created_at));
		const item = items.get(place) ?? { ...counter.key(tallyCounter(WORKSPACE), place), expires_at_epoch_s };
		for (const field of Object.keys(limits)) item[field] = Number(item[field] ?? 0) + 1;
		items.set(place, item);
	}
	for (const day of days) {
		const name = namesCounter(WORKSPACE, day);
		items.set(name, { ...counter.key(name), ...(await names.used(name)) });
	}
	return [...items.values()].map((item) => marshall(item));
}

/**
 * Reads the figures twice, and measures each time. The first time, the service adds up the closed days and stores the sums. The
 * second time, it reads these sums.
 */
async function figures(count: number, store: Store): Promise<Row[]> {
	const rows: Row[] = [];
	for (const [look, target] of [
		['for the first time', '1000 ms'],
		['again', '100 ms'],
	] as const) {
		const fromMs = quarterAt(NOW_MS - 30 * 24 * 3_600_000);
		const beganMs = performance.now();
		const read = await readTallies(WORKSPACE, fromMs, { store, clock: { now: () => NOW_MS } });
		const { calls } = shopNumbers(sumUp(read.tallies), fromMs, (at) => new Date(at).getUTCHours());
		const { path } = await readSources(WORKSPACE, read, store);
		const tookMs = performance.now() - beganMs;
		if (calls !== count) throw new Error(`the figures say ${calls} calls, not ${count}`);
		checkPages(path, count);
		rows.push(row(`figures of 30 days with ${count.toLocaleString('en')} calls, ${look}`, target, ms(tookMs)));
	}
	return rows;
}

function checkPages(path: readonly SourceNumbers[], count: number): void {
	const recount = Map.groupBy(
		Array.from({ length: count }, (_, n) => sourceOf(sourceUrl(n)).path),
		(name) => name,
	);
	for (const { name, requests } of path) {
		const there = recount.get(name ?? '')?.length ?? 0;
		if (there !== requests || path.length !== recount.size)
			throw new Error(`${name}: the figures say ${requests} calls, not ${there}`);
	}
}
