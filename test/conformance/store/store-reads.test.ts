import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dueShard } from '../../../shared/adapters/dynamodb/table.ts';
import { lowestIdAt } from '../../../shared/domain/kernel/id.ts';
import { DUE_SHARDS } from '../../../shared/ports/registry.ts';
import type { Due, ListRange, Store, Write } from '../../../shared/ports/store.ts';
import { publish } from '../../../shared/use-cases/webhooks/event-outbox.ts';
import { idOf, samples, WORKSPACE } from '../../support/sample-records.ts';
import { always, put, version } from '../../support/writes.ts';
import { call, delivery, stopStores, stores } from './stores.ts';

afterAll(stopStores);

const everything: ListRange = { from_id: null, before_id: null, limit: 100 };
const ids = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

describe.each(stores)('the store %s', (_, open) => {
	let store: Store;
	beforeEach(async () => {
		store = await open();
	});
	const commit = (...writes: Write[]) => store.commit(writes);

	describe('a list', () => {
		const list = (range: Partial<ListRange> = {}) => store.list('call', WORKSPACE, { ...everything, ...range });

		it('is newest first, by workspace and kind', async () => {
			await commit(
				...[2, 3, 1].map((n) => put('call', call(n))),
				put('call', call(4, { workspace_id: 'another' })),
				put('event', samples.event),
			);
			expect(ids(await list())).toEqual([idOf(3), idOf(2), idOf(1)]);
			expect(await store.list('event', WORKSPACE, everything)).toEqual([samples.event]);
			expect(await store.list('delivery', WORKSPACE, everything)).toEqual([]);
		});

		it('of events is complete and in order, with and without deliveries, many of them in one millisecond', async () => {
			const endpoints = [1, 2, 3].map((n) => ({ ...samples.webhook_endpoint, id: idOf(n), events: ['call.ringing'] }));
			const all: string[] = [];
			for (let n = 0; n < 70; n += 1) {
				// Nine of ten events have three deliveries each. From event 45 on, all have the same time. Their deliveries are
				// more than one read returns, so a page ends between deliveries of the same time.
				const atMs = Date.parse('2026-11-21T09:00:00.000Z') + (n < 45 ? n : 45);
				const id = lowestIdAt(atMs).slice(0, 10) + String(n).padStart(16, '0');
				const created_at = new Date(atMs).toISOString();
				const kind = n % 10 === 0 ? 'call.failed' : 'call.ringing';
				const event = { ...samples.event, id, kind, created_at, subject_id: `subject ${n}` } as const;
				await commit(...publish(event, endpoints as (typeof samples.webhook_endpoint)[]).writes);
				all.push(id);
			}
			const events = (range: Partial<ListRange>) => store.list('event', WORKSPACE, { ...everything, ...range });
			expect(ids(await events({}))).toEqual([...all].reverse());
			expect(ids(await events({ oldest_first: true }))).toEqual(all);
			const paged: string[] = [];
			for (let before_id: string | null = null; ; before_id = paged.at(-1) ?? null) {
				const page = await events({ before_id, from_id: all[3] ?? null, limit: 7 });
				paged.push(...ids(page));
				if (page.length < 7) break;
			}
			expect(paged).toEqual(all.slice(3).reverse());
			const between = { from_id: all[44] ?? null, before_id: all[50] ?? null, oldest_first: true, limit: 4 } as const;
			expect(ids(await events(between))).toEqual(all.slice(44, 48));
			expect(await store.list('event', 'another', everything)).toEqual([]);
		});

		it('begins at `from_id` and ends before `before_id`', async () => {
			await commit(...[1, 2, 3, 4, 5].map((n) => put('call', call(n))));
			expect(ids(await list({ from_id: idOf(2) }))).toEqual([5, 4, 3, 2].map(idOf));
			expect(ids(await list({ before_id: idOf(4) }))).toEqual([3, 2, 1].map(idOf));
			expect(ids(await list({ from_id: idOf(2), before_id: idOf(4) }))).toEqual([3, 2].map(idOf));
			expect(ids(await list({ from_id: idOf(2), before_id: idOf(4), limit: 1 }))).toEqual([idOf(3)]);
			expect(ids(await list({ from_id: idOf(4), before_id: idOf(2) }))).toEqual([]);
			expect(ids(await list({ from_id: idOf(3), before_id: idOf(3) }))).toEqual([]);
			expect(ids(await list({ limit: 2 }))).toEqual([5, 4].map(idOf));
		});

		it('of missed calls has a call only once it has failed because the team did not answer', async () => {
			const missed = async () => ids(await list({ part: { status: 'missed' } }));
			await commit(put('call', call(1)), put('call', call(2)));
			expect(await missed()).toEqual([]);
			const end = { version: 2, status: 'failed', failure_reason: 'no_agent_answer' } as const;
			await commit(put('call', call(1, end), version(1)));
			expect(await missed()).toEqual([idOf(1)]);
			expect(ids(await list({ from_id: idOf(1), limit: 201, part: { status: 'missed' } }))).toEqual([idOf(1)]);
		});

		it('of records in some statuses has only these records; a record joins and leaves the list as its status changes', async () => {
			const quiet = { endpoint_id: idOf(8) };
			const busy = { endpoint_id: idOf(9) };
			await commit(
				...[1, 2, 3, 4].map((n) => put('delivery', delivery(n, { ...busy, status: 'succeeded', version: 1 }))),
				put('delivery', delivery(5, { ...quiet, status: 'held', version: 1 })),
				put('delivery', delivery(6, { ...busy, status: 'failed', version: 1, workspace_id: 'another' })),
			);
			const part = async (of: ListRange['part'], range: Partial<ListRange> = {}) =>
				ids(await store.list('delivery', WORKSPACE, { ...everything, ...range, part: of }));
			expect(await part({ status: 'failed' })).toEqual([]);
			await commit(
				put('delivery', delivery(1, { ...busy, status: 'failed', version: 2 }), version(1)),
				put('delivery', delivery(3, { ...busy, status: 'failed', version: 2 }), version(1)),
				put('delivery', delivery(5, { ...quiet, status: 'pending', version: 2 }), version(1)),
			);
			expect(await part({ status: 'failed' })).toEqual([idOf(3), idOf(1)]);
			expect(await part({ status: 'failed' }, { before_id: idOf(3) })).toEqual([idOf(1)]);
			expect(await part({ status: 'held' })).toEqual([]);
			expect(await part(quiet)).toEqual([idOf(5)]);
			expect(await part(busy, { oldest_first: true, from_id: idOf(2), limit: 2 })).toEqual([idOf(2), idOf(3)]);
			await commit({ op: 'remove', record: 'delivery', key: { id: idOf(3) }, guard: always });
			expect(await part({ status: 'failed' })).toEqual([idOf(1)]);
			await expect(part({ status: 'pending' })).rejects.toThrow('no such part');
			await expect(store.list('call', WORKSPACE, { ...everything, part: quiet })).rejects.toThrow('no such part');
		});

		it('reads only some fields on request, and without fields only the ids', async () => {
			const busy = { endpoint_id: idOf(90) };
			await commit(
				put('delivery', delivery(1, { ...busy, status: 'failed' })),
				put('delivery', delivery(2, { ...busy, status: 'held' })),
			);
			const fields = (range: Partial<ListRange>, ...names: ('status' | 'endpoint_id')[]) =>
				store.listFields('delivery', WORKSPACE, { from_id: null, before_id: null, limit: 9, ...range }, names);
			const seen = (items: readonly object[]) => items.map((item) => Object.entries({ due_at: null, ...item }).sort());
			const of = (...items: readonly object[]) => seen(items);
			const [one, two] = [
				{ id: idOf(1), status: 'failed' },
				{ id: idOf(2), status: 'held' },
			] as const;
			expect(seen(await fields({}, 'status'))).toEqual(of(two, one));
			expect(seen(await fields({ part: { status: 'failed' } }, 'status', 'endpoint_id'))).toEqual(
				of({ ...one, ...busy }),
			);
			expect(seen(await fields({ oldest_first: true, limit: 1 }))).toEqual(of({ id: idOf(1) }));
			expect(seen(await fields({ before_id: idOf(2), from_id: idOf(1) }))).toEqual(of({ id: idOf(1) }));
			await commit({ op: 'remove', record: 'delivery', key: { id: idOf(1) }, guard: always });
			expect(seen(await fields({}, 'status'))).toEqual(of(two));
		});

		it('reverses the order on request', async () => {
			await commit(...[1, 2, 3, 4, 5].map((n) => put('call', call(n))));
			const oldest = (range: Partial<ListRange>) => list({ ...range, oldest_first: true });
			expect(ids(await oldest({}))).toEqual([1, 2, 3, 4, 5].map(idOf));
			expect(ids(await oldest({ from_id: idOf(2), before_id: idOf(5), limit: 2 }))).toEqual([2, 3].map(idOf));
		});

		it('shows records as they are now, and no removed records', async () => {
			await commit(put('call', call(1)), put('call', call(2)));
			await commit(put('call', call(1, { version: 2, status: 'failed' }), version(1)));
			await commit({ op: 'remove', record: 'call', key: { id: idOf(2) }, guard: always });
			expect((await list()).map(({ id, status }) => [id, status])).toEqual([[idOf(1), 'failed']]);
		});

		it('of more than one read can fetch is complete and in order', async () => {
			for (const hundred of [0, 100])
				await commit(...Array.from({ length: 90 }, (_unused, n) => put('call', call(hundred + n))));
			const all = await list({ limit: 170 });
			expect(all).toHaveLength(170);
			expect(ids(all)).toEqual(ids(all).sort().reverse());
		});
	});

	it('returns the endpoints of one workspace, oldest first', async () => {
		const endpoint = (n: number, workspace_id = WORKSPACE) => ({
			...samples.webhook_endpoint,
			id: idOf(n),
			workspace_id,
		});
		await commit(
			put('webhook_endpoint', endpoint(2)),
			put('webhook_endpoint', endpoint(1)),
			put('webhook_endpoint', endpoint(3, 'another')),
		);
		await commit(put('endpoint_roster', samples.endpoint_roster));
		expect(ids(await store.endpointsOf(WORKSPACE))).toEqual([idOf(1), idOf(2)]);
	});

	it('returns the older attempts of one delivery, oldest first', async () => {
		const attempt = (number: number, delivery_id = idOf(1)) =>
			put('delivery_attempt', { ...samples.delivery_attempt, delivery_id, number });
		await commit(put('delivery', delivery(1)), attempt(10), attempt(2), attempt(1), attempt(3, idOf(2)));
		expect((await store.attemptsOf(idOf(1))).map(({ number }) => number)).toEqual([1, 2, 10]);
	});

	it('returns the consents of one number, ordered by their call or lead', async () => {
		const agreed = (subject: string, number_hash = 'one') => ({ ...samples.consent, number_hash, subject });
		const own = [agreed('call#1'), agreed('call#2'), agreed('lead#1')];
		await commit(
			...[...own].reverse().map((item) => put('consent', item)),
			put('consent', agreed('call#3', 'another')),
		);
		expect(await store.consentsOf('one')).toEqual(own);
		expect(await store.consentsOf('none')).toEqual([]);
	});

	it('returns the desks of one address, ordered by their workspace', async () => {
		const address = 'ida@shop.example';
		const other = 'mia@shop.example';
		const own = ['one', 'two'].map((workspace_id) => ({ address, workspace_id }));
		const desks = [...own].reverse().concat({ address: other, workspace_id: 'one' });
		await commit(...desks.map((item) => put('desk_address', item)));
		expect(await store.desksOf(address)).toEqual(own);
		expect(await store.desksOf('x@unknown.example')).toEqual([]);
	});

	it('knows whether any workspace allows an origin', async () => {
		await commit(
			put('allowed_origin', samples.allowed_origin),
			put('allowed_origin', { ...samples.allowed_origin, workspace_id: 'another' }),
		);
		await commit({ op: 'remove', record: 'allowed_origin', key: samples.allowed_origin, guard: always });
		expect(await store.anyWorkspaceAllows('https://shop.example')).toBe(true);
		expect(await store.anyWorkspaceAllows('https://shop.example:8443')).toBe(false);
	});

	describe('a timer', () => {
		const at = (second: number): string => `2026-11-21T09:00:${String(second).padStart(2, '0')}.000Z`;
		const due = async (now: string, limit = 100, shards = Array.from({ length: DUE_SHARDS }, (_unused, n) => n)) =>
			(await Promise.all(shards.map((shard) => store.due(shard, now, limit, null))))
				.flat()
				.sort((a, b) => a.due_at.localeCompare(b.due_at));

		it('is found from its time on, only in its own shard', async () => {
			await commit(put('call', call(1, { due_at: at(10) })), put('delivery', delivery(2, { due_at: at(20) })));
			expect(await due(at(9))).toEqual([]);
			expect(await due(at(10))).toEqual([{ record: 'call', id: idOf(1), due_at: at(10) }]);
			expect(await due(at(30))).toEqual([
				{ record: 'call', id: idOf(1), due_at: at(10) },
				{ record: 'delivery', id: idOf(2), due_at: at(20) },
			]);
			expect(await due(at(30), 100, [dueShard(idOf(1))])).toContainEqual(expect.objectContaining({ id: idOf(1) }));
		});

		it('moves with its record, and disappears when nothing is due any more', async () => {
			await commit(put('call', call(1, { due_at: at(10) })), put('call', call(2, { due_at: at(10) })));
			await commit(
				put('call', call(1, { version: 2, due_at: at(40) }), version(1)),
				put('call', call(2, { version: 2, due_at: null }), version(1)),
			);
			expect(await due(at(30))).toEqual([]);
			expect(await due(at(50))).toEqual([{ record: 'call', id: idOf(1), due_at: at(40) }]);
			expect((await store.get('call', { id: idOf(2) }))?.due_at).toBeNull();
		});

		it('is returned before later timers, and only within the limit', async () => {
			const same = Array.from({ length: 1000 }, (_unused, n) => n)
				.filter((n) => dueShard(idOf(n)) === 3)
				.slice(0, 5);
			await commit(...same.map((n, i) => put('call', call(n, { due_at: at(50 - i) }))));
			expect((await store.due(3, at(59), 2, null)).map(({ due_at }) => due_at)).toEqual([at(46), at(47)]);
		});

		it('is returned exactly once over several pages, even if many timers are due at the same time', async () => {
			const same = Array.from({ length: 1000 }, (_unused, n) => n).filter((n) => dueShard(idOf(n)) === 5);
			const [soon = 0, ...later] = same.slice(0, 5);
			await commit(put('call', call(soon, { due_at: at(40) })));
			await commit(...later.map((n) => put('delivery', delivery(n, { due_at: at(50) }))));
			const found: string[] = [];
			for (let last: Due | null = null; ; ) {
				const page: readonly Due[] = await store.due(5, at(59), 2, last);
				found.push(...page.map(({ id }) => id));
				last = page.at(-1) ?? null;
				if (last === null) break;
			}
			expect(found[0]).toBe(idOf(soon));
			expect(found.slice(1).sort()).toEqual(later.map(idOf).sort());
		});
	});
});
