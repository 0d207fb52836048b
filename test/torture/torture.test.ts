import { expect, it } from '@jest/globals';
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
