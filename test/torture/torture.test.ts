import { describe, expect, it } from '@jest/globals';
import { fairBatches } from '../../local/aws/fair-batches.ts';
import { fictionalNumbers } from './callers.ts';
import { torture } from './torture.ts';

// The full size, with and without kill -9: npm run torture -- --calls 2000 --endpoints 20 --misbehaving 5 --kills 20

it('each event arrives once at healthy receivers, for all failures of others', async () => {
	const report = await torture({
		...{ calls: 16, endpoints: 7, kills: 0, kill_every_ms: 0 },
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
	const fair = () => fairBatches<Sent>(({ group }) => group);

	it('take turns, so that a long queue does not delay a short one', () => {
		const batches = fair();
		batches.add([...of('long', 100), ...of('short', 2)]);
		const groups = batches.take(4).map(({ group }) => group);
		expect(groups).toEqual(['long', 'short', 'long', 'short']);
	});

	it('whose receiver hangs have at most two batches in flight; others get the rest', () => {
		const batches = fair();
		batches.add(of('hangs', 100));
		const first = batches.take(10);
		const second = batches.take(10);
		expect([first.length, second.length, batches.take(10).length]).toEqual([10, 10, 0]);
		batches.add(of('well', 3));
		const well = batches.take(10);
		expect(well.map(({ group }) => group)).toEqual(['well', 'well', 'well']);
		batches.done(first);
		expect(batches.take(10)).toEqual(of('hangs', 30).slice(20));
		expect(batches.size()).toBe(70);
	});

	it('do not matter to messages without one', () => {
		const batches = fair();
		batches.add(of(null, 25));
		expect([10, 10, 10].map((count) => batches.take(count).length)).toEqual([10, 10, 5]);
	});
});
