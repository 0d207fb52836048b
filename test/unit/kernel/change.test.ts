import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type Guard, type Store, StoreBusy, type Write } from '../../../shared/ports/store.ts';
import {
	change,
	type ForRequest,
	IdempotencyConflict,
	type Proposal,
} from '../../../shared/use-cases/kernel/unit-of-work.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';

// Tests the unit of work: read, decide, commit in a named transaction, and decide again if another process was faster.

type Result = { readonly outcome: 'changed' | 'taken' | 'full' };
const lead = samples.callback_lead;
const key = { id: lead.id };
const absent = { if: 'absent' } as const;
const put = (id: string, guard: Guard): Write => ({ op: 'put', record: 'callback_lead', item: { ...lead, id }, guard });
const CHANGED: Proposal<Result> = { result: { outcome: 'changed' } };

/** Runs one change on a store that contains these leads. */
async function run(
	decide: () => Proposal<Result>,
	there: readonly string[],
	more: ForRequest<Result> & { readonly commit?: Store['commit'] } = {},
) {
	const store = memoryStore();
	for (const id of there) await store.commit([put(id, absent)]);
	let decided = 0;
	const outcome = await change(
		{
			read: () => store.get('callback_lead', key),
			decide: () => {
				decided += 1;
				return decide();
			},
		},
		{ ...store, ...more },
		more.keepResponse,
	).catch((error: unknown) => error);
	return { outcome, decided, store };
}

describe('a change', () => {
	it('is decided again from a new read after each lost race', async () => {
		const store = memoryStore();
		await store.commit([{ op: 'put', record: 'callback_lead', item: { ...lead, version: 1 }, guard: absent }]);
		const editors = Array.from({ length: 8 }, () =>
			change(
				{
					read: () => store.get('callback_lead', key),
					decide: (seen) => {
						const version = seen?.version ?? 0;
						const item = { ...lead, version: version + 1 };
						const guard = { if: 'version', version } as const;
						return { result: version, writes: { lead: { op: 'put', record: 'callback_lead', item, guard } } };
					},
				},
				store,
			),
		);
		expect((await Promise.all(editors)).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
		expect((await store.get('callback_lead', key))?.version).toBe(9);
	});

	it('throws StoreBusy if every try loses, and writes nothing', async () => {
		const { outcome, decided } = await run(() => ({ ...CHANGED, writes: { lead: put('a', absent) } }), ['a']);
		expect(outcome).toBeInstanceOf(StoreBusy);
		expect(decided).toBe(32);
	});

	it('without writes sends nothing to the store and still returns its result', async () => {
		const commit = () => Promise.reject(new Error('asked'));
		expect((await run(() => CHANGED, [], { commit })).outcome).toEqual({ outcome: 'changed' });
	});

	it('learns by name which write was refused, whatever the order of the writes', async () => {
		const names = ['first', 'second', 'third', 'fourth'] as const;
		const order = fc.shuffledSubarray([...names], { minLength: names.length });
		await fc.assert(
			fc.asyncProperty(order, fc.constantFrom(...names), async (ordered, full) => {
				const writes = Object.fromEntries(ordered.map((name) => [name, put(name, absent)]));
				const decide = () => ({ ...CHANGED, writes, refusals: { [full]: { outcome: 'full' } } as const });
				expect((await run(decide, [full])).outcome).toEqual({ outcome: 'full' });
			}),
		);
	});

	it('may not handle the refusal of a write that it does not have', async () => {
		const { outcome } = await run(() => ({ ...CHANGED, refusals: { lead: { outcome: 'taken' } } }), []);
		expect(String(outcome)).toBe('Error: no write is named lead');
	});

	it('stores the response in its own transaction: the change and the response exist together or not at all', async () => {
		const keepResponse = () => [put('answer', absent)];
		const decide = () => ({ ...CHANGED, writes: { lead: put('a', absent) } });
		const done = await run(decide, [], { keepResponse });
		expect(await done.store.get('callback_lead', { id: 'answer' })).not.toBeNull();
		const twin = await run(decide, ['answer'], { keepResponse });
		expect(twin.outcome).toBeInstanceOf(IdempotencyConflict);
		expect(await twin.store.get('callback_lead', { id: 'a' })).toBeNull();
	});

	it('runs the follow-up once, after the successful commit', async () => {
		const done: string[] = [];
		const follows = { afterwards: async () => done.push('sent') };
		await run(() => ({ ...CHANGED, ...follows, writes: { lead: put('a', absent) } }), []);
		await run(() => ({ ...CHANGED, ...follows, writes: { lead: put('a', absent) } }), ['a']);
		expect(done).toEqual(['sent']);
	});
});
