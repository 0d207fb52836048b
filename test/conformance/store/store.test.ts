import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordName, Records } from '../../../shared/ports/registry.ts';
import type { Guard, Store, Write } from '../../../shared/ports/store.ts';
import { idOf, samples } from '../../support/sample-records.ts';
import { always, put, version } from '../../support/writes.ts';
import { call, stopStores, stores } from './stores.ts';

afterAll(stopStores);

describe.each(stores)('the store %s', (_, open) => {
	let store: Store;
	beforeEach(async () => {
		store = await open();
	});
	const commit = (...writes: Write[]) => store.commit(writes);

	describe('a record', () => {
		it('of any kind is read exactly as it was put', async () => {
			const kinds = Object.entries(samples) as { [N in RecordName]: [N, Records[N]] }[RecordName][];
			await commit(...kinds.map(([record, item]) => put(record, item)));
			expect(await store.get('workspace', samples.workspace)).toEqual(samples.workspace);
			for (const [record, item] of kinds) expect(await store.get(record, item as never)).toEqual(item);
		});

		it('that was never put is null', async () => {
			expect(await store.get('call', { id: idOf(404) })).toBeNull();
		});

		it('does not change when the object that was put is changed afterwards', async () => {
			const legs: Records['call']['legs'][number][] = [];
			await commit(put('call', call(1, { legs })));
			legs.push({ ...samples.call.legs[0] } as never);
			expect((await store.get('call', { id: idOf(1) }))?.legs).toEqual([]);
		});

		it('no longer exists after its removal', async () => {
			await commit(put('call', call(1)));
			expect(await commit({ op: 'remove', record: 'call', key: { id: idOf(1) }, guard: version(1) })).toEqual({
				committed: true,
			});
			expect(await store.get('call', { id: idOf(1) })).toBeNull();
		});
	});

	describe('a guard', () => {
		it('"absent" lets exactly one writer create the record', async () => {
			expect(await commit(put('call', call(1)))).toEqual({ committed: true });
			expect(await commit(put('call', call(1, { status: 'ringing' })))).toEqual({ committed: false, refused: [0] });
			expect((await store.get('call', { id: idOf(1) }))?.status).toBe('requested');
		});

		it('"version" lets only a writer that has read the newest version write the next', async () => {
			await commit(put('call', call(1)));
			expect(await commit(put('call', call(1, { version: 2, status: 'ringing' }), version(1)))).toEqual({
				committed: true,
			});
			expect(await commit(put('call', call(1, { version: 2, status: 'failed' }), version(1)))).toEqual({
				committed: false,
				refused: [0],
			});
			expect((await store.get('call', { id: idOf(1) }))?.status).toBe('ringing');
		});

		it('"version" refuses what does not exist', async () => {
			expect(await commit(put('call', call(1), version(1)))).toEqual({ committed: false, refused: [0] });
			expect(await commit({ op: 'remove', record: 'call', key: { id: idOf(1) }, guard: version(1) })).toEqual({
				committed: false,
				refused: [0],
			});
		});

		it.each([
			['has expired', 100, true],
			['expires now', 101, true],
			['is still valid', 102, false],
		])('"absent_or_expired" accepts or refuses a record that %s', async (_name, expires_at_epoch_s, committed) => {
			const later = put(
				'idempotency',
				{ ...samples.idempotency, body: 'second' },
				{ if: 'absent_or_expired', now_epoch_s: 101 },
			);
			await commit(put('idempotency', { ...samples.idempotency, expires_at_epoch_s }));
			expect((await commit(later)).committed).toBe(committed);
		});

		it('"absent_or_expired" accepts a missing record, and never replaces a record without expiry', async () => {
			const guard: Guard = { if: 'absent_or_expired', now_epoch_s: 101 };
			expect(await commit(put('number_usage', { ...samples.number_usage, expires_at_epoch_s: null }, guard))).toEqual({
				committed: true,
			});
			expect(await commit(put('number_usage', samples.number_usage, guard))).toEqual({
				committed: false,
				refused: [0],
			});
		});

		it('"always" overwrites, and may remove a missing record', async () => {
			await commit(put('call', call(1)));
			expect(await commit(put('call', call(1, { status: 'failed' }), always))).toEqual({ committed: true });
			expect(await commit({ op: 'remove', record: 'call', key: { id: idOf(9) }, guard: always })).toEqual({
				committed: true,
			});
			expect((await store.get('call', { id: idOf(1) }))?.status).toBe('failed');
		});
	});

	describe('a commit', () => {
		it('is all or nothing, and names every write that was refused', async () => {
			await commit(put('call', call(1)), put('callback_lead', samples.callback_lead));
			const refused = await commit(
				put('call', call(2)),
				put('call', call(1)),
				put('event', samples.event),
				put('callback_lead', samples.callback_lead),
			);
			expect(refused).toEqual({ committed: false, refused: [1, 3] });
			expect(await store.get('call', { id: idOf(2) })).toBeNull();
			expect(await store.get('event', samples.event)).toBeNull();
		});

		it('writes nothing and refuses nothing once its time is over', async () => {
			const writes = [put('call', call(1))];
			expect(await store.commit(writes, () => false)).toEqual({ committed: false, refused: [] });
			expect(await store.get('call', { id: idOf(1) })).toBeNull();
			expect(await store.commit(writes, () => true)).toEqual({ committed: true });
		});

		it('of no writes succeeds', async () => {
			expect(await commit()).toEqual({ committed: true });
		});

		it('throws when it writes one record twice', async () => {
			await expect(commit(put('call', call(1)), put('call', call(1)))).rejects.toThrow(/^(store|dynamodb): /);
		});
	});

	describe('a counter', () => {
		const count = (limits: Record<string, number>, counter = 'address#1'): Write => ({
			op: 'count',
			counter,
			limits,
			expires_at_epoch_s: 2_000_000_000,
		});

		it('counts up to its limit', async () => {
			expect(await commit(count({ requests: 2 }))).toEqual({ committed: true });
			expect(await commit(count({ requests: 2 }))).toEqual({ committed: true });
			expect(await commit(count({ requests: 2 }))).toEqual({ committed: false, refused: [0] });
			expect(await commit(count({ requests: 3 }))).toEqual({ committed: true });
			expect(await commit(count({ requests: 1 }, 'address#2'))).toEqual({ committed: true });
			expect(await store.used('address#1')).toEqual({ requests: 3 });
			expect(await store.used('address#3')).toEqual({});
		});

		it('adds to all its fields or to none', async () => {
			await commit(count({ day: 1 }));
			expect(await commit(count({ window: 2, day: 1 }))).toEqual({ committed: false, refused: [0] });
			await commit(count({ window: 2 }));
			expect(await commit(count({ window: 2 }))).toEqual({ committed: true });
			expect(await commit(count({ window: 2 }))).toEqual({ committed: false, refused: [0] });
		});

		it('with a limit of 0 refuses even the first increment', async () => {
			expect(await commit(count({ requests: 0 }))).toEqual({ committed: false, refused: [0] });
		});

		describe('raised outside a transaction', () => {
			const alone = (limits: Record<string, number>, counter = 'address#1') =>
				store.count({ op: 'count', counter, limits, expires_at_epoch_s: 2_000_000_000 });

			it('returns its value, up to its limit', async () => {
				expect(await alone({ requests: 2 })).toEqual({ counted: true, used: { requests: 1 } });
				expect(await alone({ requests: 2 })).toEqual({ counted: true, used: { requests: 2 } });
				expect(await alone({ requests: 2 })).toEqual({ counted: false, used: { requests: 2 } });
				expect(await alone({ requests: 0 }, 'address#2')).toEqual({ counted: false, used: { requests: 0 } });
			});

			it('adds to all its fields or to none, and names the field that is full', async () => {
				await commit(count({ day: 1 }));
				expect(await alone({ window: 2, day: 1 })).toEqual({ counted: false, used: { window: 0, day: 1 } });
				expect(await alone({ window: 2 })).toEqual({ counted: true, used: { window: 1 } });
			});

			it('admits exactly its limit if many requests come at once', async () => {
				const answers = await Promise.all(Array.from({ length: 20 }, () => alone({ requests: 7 })));
				expect(answers.filter(({ counted }) => counted)).toHaveLength(7);
			});
		});

		it('does not move when another write of its commit is refused', async () => {
			await commit(put('call', call(1)));
			expect(await commit(count({ requests: 1 }), put('call', call(1)))).toEqual({ committed: false, refused: [1] });
			expect(await commit(count({ requests: 1 }), put('call', call(2)))).toEqual({ committed: true });
			expect(await commit(count({ requests: 1 }), put('call', call(1)))).toEqual({ committed: false, refused: [0, 1] });
		});
	});
});
