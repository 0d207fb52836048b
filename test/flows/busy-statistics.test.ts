import { expect, it } from '@jest/globals';
import { WORKER_BUDGET } from '../../shared/adapters/aws/client/client.ts';
import { toItem } from '../../shared/adapters/dynamodb/items.ts';
import { dynamoStore } from '../../shared/adapters/dynamodb/store.ts';
import { staysOpen } from '../../shared/domain/calls/tally.ts';
import { viewOf } from '../../shared/http/desk/kit/view.ts';
import { sourcesCsv } from '../../shared/http/desk/numbers/list-files.ts';
import { numbersPage } from '../../shared/http/desk/numbers/numbers-page.ts';
import type { CounterPlace, Store } from '../../shared/ports/store.ts';
import { countRequests } from '../support/aws/counted-requests.ts';
import { counterItem, fillTable } from '../support/aws/fill-table.ts';
import { functionStandIns } from '../support/aws/function-stand-ins.ts';
import { busyTallies } from '../support/calls/busy-tallies.ts';
import { frontDesk } from '../support/front-desk.ts';
import { memoryStore } from '../support/memory-store.ts';

// Tests what the page Statistics reads for a shop with 300,000 calls in 30 days, and as many in the 30 days before them. The
// test counts reads. It measures no time, because a time would depend on the machine.

/** 10:00 UTC. The service has already summed up the figures of the day before. */
const NOW_MS = Date.parse('2026-11-26T10:00:00.000Z');
const TODAY = '2026-11-26';
const FIRST_DAY = '2026-09-01';

const team = Array.from({ length: 20 }, (_, nth) => ({
	id: `m${nth + 1}`,
	name: `Member ${nth + 1}`,
	phone_masked: '+1********01',
}));
const workspace = { ...frontDesk(memoryStore(), NOW_MS).workspace(), created_at: '2025-01-01T00:00:00.000Z', team };
const raised = busyTallies(workspace.id, NOW_MS, { days: 62, calls_a_day: 10_200 });
const closed = (store: Store) => store.closedDays(workspace.id, FIRST_DAY, TODAY);

/** The page Statistics and its file of sources, for a shop whose data is in this store. */
function statistics(store: Store) {
	const { deps } = frontDesk(store, NOW_MS);
	const person = { address: 'ida@shop.example', role: 'owner', sessions_from: '' };
	const view = (days: 7 | 30) =>
		viewOf({ workspace, person, secret: new Uint8Array(32) } as never, NOW_MS, { days: `${days}` });
	return {
		page: async (days: 7 | 30) => (await numbersPage(view(days), deps)).markup,
		file: async (days: 7 | 30) => (await sourcesCsv(view(days), deps)).body ?? '',
	};
}

/**
 * A store that counts how many counters and closed days have been read from it, and how many fields the counters have. The
 * time to read an item depends on its number of fields.
 */
function watched(store: Store) {
	let items = 0;
	let fields = 0;
	const seen = (found: readonly unknown[], ofCounters = 0) => {
		items += found.length;
		fields += ofCounters;
	};
	const seenPlaces = (found: readonly CounterPlace[]): readonly CounterPlace[] => {
		seen(
			found,
			found.reduce((sum, { counts }) => sum + counts.length, 0),
		);
		return found;
	};
	const counting: Store = {
		...store,
		async used(name) {
			const found = await store.used(name);
			seen([found], Object.keys(found).length);
			return found;
		},
		usedAt: async (...asked) => seenPlaces(await store.usedAt(...asked)),
		usedFrom: async (...asked) => seenPlaces(await store.usedFrom(...asked)),
		async closedDays(...asked) {
			const found = await store.closedDays(...asked);
			seen(found);
			return found;
		},
	};
	return {
		store: counting,
		async readBy(act: () => Promise<unknown>) {
			items = 0;
			fields = 0;
			await act();
			return { items, fields };
		},
	};
}

it('Statistics at 300,000 calls reads each tally once, and later only a tenth of that', async () => {
	const { store, readBy } = watched(memoryStore(raised));
	const { page, file } = statistics(store);
	const shown: string[] = [];
	const look = (days: 7 | 30) => readBy(async () => shown.push(await page(days)));
	const first = await look(30);
	expect(first.items).toBeGreaterThan(4000);
	expect([await look(30), await look(7), await readBy(() => file(30))]).toEqual([
		{ items: 337, fields: 10_341 },
		{ items: 107, fields: 5925 },
		{ items: 182, fields: 7365 },
	]);
	expect(shown[1]).toBe(shown[0]);
	expect(shown[0]).toContain('>Calls</a></dt><dd>301,');
	for (const markup of shown) expect(Buffer.byteLength(markup)).toBeLessThan(60_000);
	expect(Buffer.byteLength(await file(30))).toBeLessThan(60_000);
	const [day] = await closed(store);
	expect(Buffer.byteLength(JSON.stringify(day))).toBeLessThan(20_000);
});

it('Statistics at 300,000 calls reads the table with two queries and at most three batches for its page, and for its file of sources', async () => {
	const memory = memoryStore(raised);
	await statistics(memory).page(30);
	const { env, stop } = await functionStandIns();
	const requests = await countRequests(env);
	const needed = raised.filter(({ place = TODAY }) => place >= TODAY || staysOpen(place));
	await fillTable(env, [...needed.map(counterItem), ...(await closed(memory)).map((day) => toItem('closed_day', day))]);
	const { page, file } = statistics(dynamoStore({ ...env, ...requests.env }, { budget: WORKER_BUDGET }));
	const shown: string[] = [];
	const asked = {
		page_30: await requests.asked(async () => shown.push(await page(30))),
		page_7: await requests.asked(() => page(7)),
		file_30: await requests.asked(() => file(30)),
	};
	await Promise.all([requests.stop(), stop()]);
	const nothing = { written: 0, queues: '', keys: '' };
	expect(asked).toEqual({
		page_30: { ...nothing, table: '1 GetItem, 2 Query, 3 BatchGetItem', read: 348.5 },
		page_7: { ...nothing, table: '1 BatchGetItem, 1 GetItem, 2 Query', read: 84.5 },
		file_30: { ...nothing, table: '1 GetItem, 2 BatchGetItem, 2 Query', read: 170.5 },
	});
	expect(shown[0]).toBe(await statistics(memory).page(30));
});
