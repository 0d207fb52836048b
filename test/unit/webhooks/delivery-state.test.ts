import { describe, expect, it } from '@jest/globals';
import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { isLeased, isMissed, isUntriedAndDue, isWaiting } from '../../../shared/domain/webhooks/delivery-state.ts';
import { samples } from '../../conformance/store/records.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();
const delivery = (changes: Partial<Delivery> = {}): Delivery => ({
	...{ ...samples.delivery, status: 'pending', attempt_count: 0, lease_until: null, next_attempt_at: at(0) },
	...changes,
});

describe('a delivery', () => {
	it('is leased until the end of its lease', () => {
		const leased = (lease_until: string | null) => isLeased(delivery({ lease_until }), NOW);
		expect([null, at(0), at(1)].map(leased)).toEqual([false, false, true]);
	});

	it('waits if it is pending, due later and not leased', () => {
		expect(isWaiting(delivery({ next_attempt_at: at(1) }), NOW)).toBe(true);
		expect(isWaiting(delivery({ next_attempt_at: at(0) }), NOW)).toBe(false);
		expect(isWaiting(delivery({ next_attempt_at: at(1), lease_until: at(1) }), NOW)).toBe(false);
		expect(isWaiting(delivery({ next_attempt_at: at(1), status: 'held' }), NOW)).toBe(false);
	});

	it('is untried and due if it is pending, due, not leased, was never attempted, and no person asked for it', () => {
		expect(isUntriedAndDue(delivery(), NOW)).toBe(true);
		const not: Partial<Delivery>[] = [
			{ next_attempt_at: at(1) },
			{ next_attempt_at: null },
			{ lease_until: at(1) },
			{ attempt_count: 1 },
			{ asked_for: true },
		];
		for (const changes of not) expect([changes, isUntriedAndDue(delivery(changes), NOW)]).toEqual([changes, false]);
	});

	it('is missed if it failed, was held or was canceled', () => {
		const statuses = ['pending', 'succeeded', 'failed', 'held', 'canceled'] as const;
		expect(statuses.filter((status) => isMissed(delivery({ status })))).toEqual(['failed', 'held', 'canceled']);
	});
});
