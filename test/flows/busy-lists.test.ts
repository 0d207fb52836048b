import timers from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { derivedId } from '../../shared/domain/kernel/id.ts';
import { callsPage } from '../../shared/http/desk/calls/calls-page.ts';
import { deliveriesPage } from '../../shared/http/desk/deliveries/deliveries-page.ts';
import { viewOf } from '../../shared/http/desk/kit/view.ts';
import { todayPage } from '../../shared/http/desk/today/today-page.ts';
import type { Put, Store } from '../../shared/ports/store.ts';
import { frontDesk } from '../support/front-desk.ts';
import { memoryStore } from '../support/memory-store.ts';
import { samples } from '../support/sample-records.ts';
import { put } from '../support/writes.ts';

// Tests that the desk's lists read as much for a shop in which thousands wait as for a shop in which hundreds wait. The test
// counts reads instead of time, because a clock would measure the machine.

const NOW_MS = Date.parse('2026-11-26T10:00:00.000Z');
const workspace = frontDesk(memoryStore(), NOW_MS).workspace();
/** So many missed calls, leads and deliveries are of today and yesterday. */
const COUNTS = [300, 3000] as const;
const STEP_MS = 40_000;

type Kept = { readonly missed: 'waits' | 'was handled' | 'was reached'; readonly delivery?: 'pending' };

/** A shop with this many missed calls, leads and deliveries. A tenth of the leads wait. */
async function shopWith(count: number, { missed, delivery }: Kept) {
	const store = memoryStore();
	const puts: Put[] = [];
	for (let nth = 0; nth < count; nth += 1) {
		const atMs = NOW_MS - nth * STEP_MS;
		const about = { workspace_id: workspace.id, created_at: new Date(atMs).toISOString() };
		const of = (kind: string) => ({ ...about, id: derivedId(atMs, kind, String(nth)) });
		const number_hash = `visitor ${nth}`;
		const ended = { legs: [], winner_leg_id: null, connected_at: null, due_at: null, timer_at: null } as const;
		const end = { status: 'failed', failure_reason: 'no_agent_answer' } as const;
		const call = { ...samples.call, ...of('call'), ...ended, ...end, number_hash };
		const lead = { ...samples.callback_lead, ...of('lead'), number_hash: `of a lead ${nth}` };
		const status = delivery ?? 'succeeded';
		const reached_at = new Date(NOW_MS).toISOString();
		puts.push(
			put('call', call),
			put('callback_lead', { ...lead, status: nth % 10 === 0 ? 'pending' : 'handled' }),
			put('delivery', { ...samples.delivery, ...of('delivery'), status, due_at: null, last_attempt: null }),
			...(missed === 'was handled' ? [put('callback_link', handled(call.id))] : []),
			...(missed === 'was reached' ? [put('number_usage', { ...samples.number_usage, number_hash, reached_at })] : []),
		);
	}
	for (let at = 0; at < puts.length; at += 100) await store.commit(puts.slice(at, at + 100));
	return store;
}

const handled = (lead_id: string) => ({
	...samples.callback_link,
	lead_id,
	of: 'call' as const,
	call_id: null,
	handled_at: new Date(NOW_MS).toISOString(),
});

/**
 * What a page reads: whole records, records of which only some fields are read, and ids in an index. `rounds`: how many times
 * the page waits for records that it reads by their keys. Reads that begin in the same turn of the event loop are one round.
 */
async function readsOf(store: Store, page: (deps: { store: Store; clock: { now: () => number } }) => Promise<unknown>) {
	const reads = { whole: 0, fields: 0, ids: 0 };
	let rounds = 0;
	let isOpen = false;
	const inRound = (): Promise<void> => {
		if (!isOpen) {
			rounds += 1;
			isOpen = true;
			setImmediate(() => {
				isOpen = false;
			});
		}
		return timers.setImmediate();
	};
	const counting: Store = {
		...store,
		async get(...asked) {
			await inRound();
			const item = await store.get(...asked);
			if (item !== null) reads.whole += 1;
			return item;
		},
		async list(...asked) {
			const items = await store.list(...asked);
			reads.whole += items.length;
			return items;
		},
		async listFields(...asked) {
			const items = await store.listFields(...asked);
			reads[asked[3].length === 0 ? 'ids' : 'fields'] += items.length;
			return items;
		},
	};
	await page({ store: counting, clock: { now: () => NOW_MS } });
	return { ...reads, rounds };
}

const person = { address: 'ida@shop.example', role: 'owner', sessions_from: '' };
const view = (query: Readonly<Record<string, string>> = {}) =>
	viewOf({ workspace, person, session: {}, secret: new Uint8Array(32) } as never, NOW_MS, query);

it.each([
	['waits', { whole: 21, fields: 200, ids: 101 }],
	['was handled', { whole: 123, fields: 200, ids: 101 }],
	['was reached', { whole: 223, fields: 200, ids: 101 }],
] as const)('Today reads no more for 3,000 missed calls than for 300, each of which %s', async (missed, reads) => {
	for (const count of COUNTS) {
		const store = await shopWith(count, { missed });
		const { rounds, ...read } = await readsOf(store, (with_) => todayPage(view(), with_));
		expect(read).toEqual(reads);
		expect(rounds).toBeLessThanOrEqual(12);
	}
});

it('a search that finds nothing reads only the fields that it compares, of a limited number of records', async () => {
	for (const count of COUNTS) {
		const store = await shopWith(count, { missed: 'waits' });
		const reads = {
			calls: await readsOf(store, (with_) => callsPage(view({ digits: '9999' }), with_)),
			of_one_end: await readsOf(store, (with_) => callsPage(view({ end: 'canceled' }), with_)),
			missed: await readsOf(store, (with_) => callsPage(view({ end: 'missed' }), with_)),
			pending: await readsOf(store, (with_) => deliveriesPage(view({ state: 'pending' }), with_)),
			of_one_event: await readsOf(store, (with_) => deliveriesPage(view({ event: 'callback.requested' }), with_)),
		};
		const none = { whole: 0, ids: 0, rounds: 0 };
		expect(reads).toEqual({
			calls: { ...none, fields: 200 },
			of_one_end: { ...none, fields: 200 },
			missed: { whole: 10, ids: 0, fields: 11, rounds: 2 },
			pending: { ...none, fields: 300 },
			of_one_event: { ...none, fields: 400 },
		});
	}
});

it.each([
	['waits', { whole: 10, rounds: 2 }],
	['was handled', { whole: 20, rounds: 2 }],
	['was reached', { whole: 20, rounds: 2 }],
] as const)(
	'the list of missed calls reads two records more for each call on the page, each of which %s',
	async (missed, reads) => {
		for (const count of COUNTS) {
			const store = await shopWith(count, { missed });
			const read = await readsOf(store, (with_) => callsPage(view({ end: 'missed' }), with_));
			expect(read).toEqual({ ...reads, ids: 0, fields: 11 });
		}
	},
);

it('deliveries that wait are found, however many there are, and only those on the page are read whole', async () => {
	for (const count of COUNTS) {
		const store = await shopWith(count, { missed: 'waits', delivery: 'pending' });
		const reads = await readsOf(store, (with_) => deliveriesPage(view({ state: 'pending' }), with_));
		expect(reads).toEqual({ whole: 10, fields: 11, ids: 0, rounds: 1 });
	}
});
