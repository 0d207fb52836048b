import { describe, expect, it } from '@jest/globals';
import { TIMED_BY_MESSAGE_MS } from '../../../shared/domain/kernel/wake-up.ts';
import type { AttemptOutcome } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import { type Delivery, isUndelivered } from '../../../shared/domain/webhooks/delivery.ts';
import { decideDelivery, taskOf } from '../../../shared/domain/webhooks/delivery-machine.ts';
import { samples } from '../../support/sample-records.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();
const delivery = (changes: Partial<Delivery> = {}): Delivery => ({
	...samples.delivery,
	status: 'pending',
	generation: 2,
	attempt_count: 1,
	lease_until: null,
	next_attempt_at: at(0),
	due_at: at(0),
	...changes,
});

describe('a delivery that waits for the breaker', () => {
	const waitsSeconds = (changes: Partial<Delivery>, random = 0) => {
		const after = decideDelivery(delivery(changes), { input: 'wait', random }, NOW);
		return (Date.parse(after?.next_attempt_at ?? '') - NOW) / 1000;
	};

	it('waits as long as it has waited so far, from one to six minutes', () => {
		expect(waitsSeconds({})).toBe(60);
		expect([-30, -200, -3600].map((seconds) => waitsSeconds({ waiting_since: at(seconds) }))).toEqual([60, 200, 360]);
	});

	it('waits up to a fifth longer, and at most seven and a half minutes', () => {
		expect([0, 0.5, 1].map((random) => waitsSeconds({ waiting_since: at(-3600) }, random))).toEqual([360, 396, 432]);
	});

	it('stores since when it has waited, until its next attempt, and is checked two minutes after its due time', () => {
		const waiting = decideDelivery(delivery(), { input: 'wait', random: 0 }, NOW);
		expect(waiting).toMatchObject({ waiting_since: at(0), attempt_count: 1, generation: 2, due_at: at(180) });
		const later = decideDelivery(waiting ?? delivery(), { input: 'wait', random: 0 }, NOW + 60_000);
		expect(later).toMatchObject({ waiting_since: at(0) });
		expect(decideDelivery(later ?? delivery(), { input: 'claim' }, NOW + 130_000)).not.toHaveProperty('waiting_since');
	});
});

it('a delivery counts as missed if it failed, was held or was canceled', () => {
	const statuses = ['pending', 'succeeded', 'failed', 'held', 'canceled'] as const;
	expect(statuses.filter((status) => isUndelivered(delivery({ status })))).toEqual(['failed', 'held', 'canceled']);
});

describe('a message about a delivery', () => {
	const asked = (changes: Partial<Delivery>, message: { generation: number; exhausted?: true } = { generation: 2 }) =>
		taskOf(delivery(changes), message, NOW);

	it('has no effect if it is for another generation, while the delivery is leased, or after its end', () => {
		expect(asked({}, { generation: 1 })).toBe('nothing');
		expect(asked({ lease_until: at(1) })).toBe('nothing');
		expect(asked({ status: 'succeeded' })).toBe('nothing');
	});

	it('leads to an attempt once the delivery is due, and waits until then', () => {
		expect([asked({}), asked({ next_attempt_at: at(1) })]).toEqual(['attempt', 'keep_waiting']);
	});

	it('starts an exhausted delivery over if an operator replayed the message', () => {
		expect(asked({ status: 'failed' }, { generation: 2, exhausted: true })).toBe('replay');
		expect(asked({ status: 'succeeded' }, { generation: 2, exhausted: true })).toBe('nothing');
	});
});

describe('a delivery that a person retries', () => {
	const retried = (changes: Partial<Delivery> = {}) =>
		decideDelivery(delivery(changes), { input: 'manual_retry' }, NOW);

	it('is sent now, unless an attempt is in progress or its message is on its way', () => {
		expect([retried(), retried({ lease_until: at(1) })]).toEqual([null, null]);
		expect(retried({ next_attempt_at: at(1) })).toMatchObject({
			generation: 3,
			is_manual_retry: true,
			next_attempt_at: at(0),
		});
	});

	it('stays succeeded if it has succeeded, even if its endpoint is deleted in the meantime', () => {
		expect(retried({ status: 'failed', next_attempt_at: null })).not.toHaveProperty('succeeded_before');
		const again = retried({ status: 'succeeded', next_attempt_at: null });
		expect(again).toMatchObject({ status: 'pending', succeeded_before: true });
		if (again === null) throw new Error('it was not retried');
		const stop = (input: 'endpoint_deleted' | 'endpoint_disabled' | 'unsubscribed') =>
			decideDelivery(again, { input }, NOW)?.status;
		expect([stop('endpoint_deleted'), stop('unsubscribed')]).toEqual(['succeeded', 'succeeded']);
		expect(stop('endpoint_disabled')).toBe('held');
	});
});

it('a success counts whenever the attempt ends, a failure only for the process that holds the lease', () => {
	const claim = { generation: 2, lease_until: at(-1) };
	const held = delivery({ lease_until: at(30) });
	const ends = (outcome: AttemptOutcome) =>
		decideDelivery(held, { input: 'attempted', attempt: samples.delivery_attempt.attempt, outcome, claim }, NOW);
	expect(ends({ outcome: 'succeeded' })).toMatchObject({ status: 'succeeded', attempt_count: 2 });
	expect(ends({ outcome: 'retry', at_ms: NOW + 5000 })).toBeNull();
});

it('the sweep checks a delivery two minutes after its due time if a message can wait for it, and otherwise at its due time', () => {
	const checked = (at_ms: number) => decideDelivery(delivery(), { input: 'resend', at_ms }, NOW)?.due_at;
	expect(checked(NOW + TIMED_BY_MESSAGE_MS)).toBe(new Date(NOW + TIMED_BY_MESSAGE_MS + 120_000).toISOString());
	expect(checked(NOW + TIMED_BY_MESSAGE_MS + 1)).toBe(new Date(NOW + TIMED_BY_MESSAGE_MS + 1).toISOString());
});

it('a delivery in the middle of an attempt does not start over', () => {
	const over = { input: 'resend', at_ms: NOW } as const;
	expect(decideDelivery(delivery({ lease_until: at(1) }), over, NOW)).toBeNull();
	const position = (changes: Partial<Delivery>) =>
		decideDelivery(delivery({ schedule_position: 3, ...changes }), over, NOW)?.schedule_position;
	expect([position({}), position({ status: 'failed', lease_until: at(1) })]).toEqual([3, 0]);
});

it('a delivery that starts over waits for its due time and for the circuit breaker', () => {
	const after = decideDelivery(delivery({ status: 'failed' }), { input: 'resend', at_ms: NOW + 5000 }, NOW);
	expect(after).toMatchObject({ status: 'pending', generation: 3, next_attempt_at: at(5) });
	expect(after).not.toHaveProperty('is_manual_retry', true);
});
