import { describe, expect, it } from '@jest/globals';
import { fairBatches } from '../../local/aws/fair-batches.ts';
import { fictionalNumbers } from './callers.ts';
import { torture } from './torture.ts';

// The full size, with and without kill -9: npm run torture -- --calls 2000 --endpoints 20 --misbehaving 5 --kills 20

it('each event arrives once at healthy receivers, for all failures of others', async () => {
	const report = await torture({
		calls: 16,
		endpoints: 7,
		kills: 0,
		kill_every_ms: 0,
		misbehaving: ['silent', 'errors', 'drip', 'one-kind', 'first-two-fail'],
		within_ms: 200_000,
		say: () => undefined,
	});
	expect(report.faults).toEqual([]);
	expect(Object.values(report.calls).reduce((sum, count) => sum + count, 0)).toBe(16);
	// At least two healthy ones get the first and last event of each call.
	expect(report.arrivals).toBeGreaterThanOrEqual(2 * 2 * 16);
	// Receivers that refuse some deliveries got the others.
	expect(report.misbehaving['succeeded']).toBeGreaterThanOrEqual(2 * 2 * 16);
	expect(report.partial_latest_s).toBeLessThanOrEqual(120);
});

it('there are numbers for two thousand visitors at once', () => {
	expect(new Set(fictionalNumbers(2000)).size).toBe(2000);
});

describe('message groups of a queue', () => {
	type Sent = { readonly group: string | null; readonly n: number };
	const of = (group: string | null, count: number): Sent[] => Array.from({ length: count }, (_, n) => ({ group, n }));
	let now_ms = 0;
	const fair = () =>
		fairBatches<Sent>(
			({ group }) => group,
			() => now_ms,
		);
	const groupsOf = (batch: readonly Sent[]) => batch.map(({ group }) => group);
	/** Queues whose groups have had one quick batch each. */
	const proven = (...groups: readonly string[]) => {
		const batches = fair();
		for (const group of groups) {
			batches.add(of(group, 1));
			batches.done(batches.take(10));
		}
		return batches;
	};

	it('take turns, so that a long queue does not delay a short one', () => {
		const batches = proven('long', 'short');
		batches.add([...of('long', 100), ...of('short', 2)]);
		expect(groupsOf(batches.take(4))).toEqual(['long', 'short', 'long', 'short']);
	});

	it('have at most two batches in flight each; others get the rest', () => {
		const batches = proven('long', 'short');
		batches.add(of('long', 100));
		const first = batches.take(10);
		const second = batches.take(10);
		expect([first.length, second.length, batches.take(10).length]).toEqual([10, 10, 0]);
		batches.add(of('short', 3));
		expect(groupsOf(batches.take(10))).toEqual(['short', 'short', 'short']);
		batches.done(first);
		expect(batches.take(10)).toEqual(of('long', 30).slice(20));
		expect(batches.size()).toBe(70);
	});

	it('that hang have one batch in flight each, without messages of others, until a batch of theirs is quick', () => {
		const batches = proven('well');
		batches.add([...of('hangs', 30), ...of('well', 2)]);
		const hanging = batches.take(10);
		expect(groupsOf(hanging)).toEqual(Array(10).fill('hangs'));
		expect(groupsOf(batches.take(10))).toEqual(['well', 'well']);
		expect(batches.take(10)).toEqual([]);
		now_ms += 15_000;
		batches.done(hanging);
		const again = batches.take(10);
		expect([groupsOf(again), batches.take(10)]).toEqual([Array(10).fill('hangs'), []]);
		now_ms += 20;
		batches.done(again);
		batches.add(of('well', 5));
		expect(new Set(groupsOf(batches.take(10)))).toEqual(new Set(['hangs', 'well']));
	});

	it('that hang leave one poller of four to the others, however many they are', () => {
		const batches = proven('well');
		batches.add([1, 2, 3, 4, 5].flatMap((n) => of(`hangs ${n}`, 20)));
		const taken = [1, 2, 3, 4].map(() => groupsOf(batches.take(10))[0]);
		expect(taken).toEqual(['hangs 1', 'hangs 2', 'hangs 3', undefined]);
		batches.add(of('well', 1));
		expect(groupsOf(batches.take(10))).toEqual(['well']);
	});

	it('do not matter to messages without one', () => {
		const batches = fair();
		batches.add(of(null, 25));
		expect([10, 10, 10].map((count) => batches.take(count).length)).toEqual([10, 10, 5]);
	});
});
