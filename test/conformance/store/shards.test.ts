import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { dynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import {
	duePartition,
	dueShard,
	listPartitionOf,
	SHARDS,
	type Shards,
} from '../../../shared/adapters/dynamodb/table.ts';
import { ulidIds } from '../../../shared/adapters/system/ids.ts';
import { derivedId } from '../../../shared/domain/kernel/id.ts';
import type { TableEnv } from '../../../shared/env.ts';
import { DUE_SHARDS } from '../../../shared/ports/registry.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { type DynamoStandIn, startDynamo } from '../../support/aws/stand-ins.ts';
import { idOf, WORKSPACE } from './records.ts';
import { always, call, delivery, put } from './stores.ts';

// Versions of the service that spread their index entries over more and more partitions, on one table at the same time.

const VERSIONS: readonly Shards[] = [
	{ due: 16, deliveries: 1 },
	{ due: 16, deliveries: 3 },
	{ due: DUE_SHARDS, deliveries: 16 },
	{ due: DUE_SHARDS, deliveries: 40 },
];

describe('partitions of an index that grow in number while versions overlap', () => {
	let dynamo: DynamoStandIn;
	beforeAll(async () => {
		dynamo = await startDynamo();
	});
	afterAll(() => dynamo.stop());

	const storesOn = (env: TableEnv): readonly Store[] => VERSIONS.map((shards) => dynamoStore(env, { shards }));
	const newest = (stores: readonly Store[]): Store => stores.at(-1) as Store;

	async function pages(store: Store, limit: number, oldest_first: boolean): Promise<readonly string[]> {
		const ids: string[] = [];
		let from_id: string | null = null;
		let before_id: string | null = null;
		for (;;) {
			const order = oldest_first ? ({ oldest_first } as const) : {};
			const page = await store.list('delivery', WORKSPACE, { from_id, before_id, limit, ...order });
			const fresh = page.map(({ id }) => id).filter((id) => id !== ids.at(-1));
			ids.push(...fresh);
			if (page.length < limit || fresh.length === 0) return ids;
			if (oldest_first) from_id = ids.at(-1) ?? null;
			else before_id = ids.at(-1) ?? null;
		}
	}

	it('lists what all of them wrote in one order, on pages of any size, each once', async () => {
		const written = fc.uniqueArray(fc.record({ n: fc.nat(999), version: fc.nat(VERSIONS.length - 1) }), {
			minLength: 1,
			maxLength: 60,
			selector: ({ n }) => n,
		});
		await fc.assert(
			fc.asyncProperty(written, fc.integer({ min: 2, max: 30 }), async (items, limit) => {
				const stores = storesOn(await dynamo.newTable());
				for (const { n, version } of items) await stores[version]?.commit([put('delivery', delivery(n))]);
				const oldestFirst = items.map(({ n }) => idOf(n)).sort();
				expect(await pages(newest(stores), limit, true)).toEqual(oldestFirst);
				expect(await pages(newest(stores), limit, false)).toEqual([...oldestFirst].reverse());
			}),
			{ numRuns: 12 },
		);
	});

	it('lists a record once after another version changed it', async () => {
		const stores = storesOn(await dynamo.newTable());
		for (const store of stores) await store.commit([put('delivery', delivery(7), always)]);
		expect(await pages(newest(stores), 10, false)).toEqual([idOf(7)]);
	});

	it('shows the sweep every timer, whichever version set it', async () => {
		const stores = storesOn(await dynamo.newTable());
		const due_at = '2026-11-21T09:00:00.000Z';
		const ids = Array.from({ length: 80 }, (_unused, n) => n);
		for (const n of ids) await stores[n % stores.length]?.commit([put('call', call(n, { due_at }))]);
		const shards = Array.from({ length: DUE_SHARDS }, (_unused, shard) => newest(stores).due(shard, due_at, 100, null));
		const found = (await Promise.all(shards)).flat().map(({ id }) => id);
		expect(found.sort()).toEqual(ids.map(idOf).sort());
	});

	it('never shrink', () => {
		expect(SHARDS.due).toBeGreaterThanOrEqual(64);
		expect(SHARDS.deliveries).toBeGreaterThanOrEqual(16);
	});
});

describe('the index writes of one second', () => {
	/** DynamoDB's units a second for one partition key; a small entry that comes or goes is one. */
	const MOST = 1000;
	const now = Date.parse('2026-11-21T09:00:00.000Z');
	const fullest = (partitions: readonly string[]): number =>
		Math.max(...[...Map.groupBy(partitions, (pk) => pk).values()].map(({ length }) => length));
	/** The ids of this many calls with four events each to this many endpoints, all within a second. */
	function idsOf(calls: number, endpoints: number) {
		const events = Array.from({ length: calls * 4 }, (_unused, n) => ulidIds.next(now + (n % 1000)));
		return events.flatMap((event) =>
			Array.from({ length: endpoints }, (_unused, n) => derivedId(now, event, `endpoint ${n}`)),
		);
	}

	it('stays within DynamoDB’s limit for one workspace with 20 endpoints and 100 calls a second', () => {
		const listed = idsOf(100, 20).map((id) => listPartitionOf('delivery', { workspace_id: WORKSPACE, id }, SHARDS));
		expect(listed).toHaveLength(8000);
		expect(fullest(listed)).toBeLessThan(MOST);
	});

	it('stays within DynamoDB’s limit for 2,000 calls a second over all workspaces, with each timer set and removed', () => {
		const calls = Array.from({ length: 2000 }, (_unused, n) => ulidIds.next(now + (n % 1000)));
		const timers = [...calls, ...idsOf(2000, 1)].map((id) => duePartition(dueShard(id)));
		expect(2 * fullest(timers)).toBeLessThan(MOST);
	});
});
