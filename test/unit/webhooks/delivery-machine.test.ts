import { describe, expect, it } from '@jest/globals';
import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { askedByMessage, asksAgainAt, decideDelivery } from '../../../shared/domain/webhooks/delivery-machine.ts';
import { samples } from '../../conformance/store/records.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();
const delivery = (changes: Partial<Delivery> = {}): Delivery => ({
	...{ ...samples.delivery, status: 'pending', generation: 2, attempt_count: 1 },
	...{ lease_until: null, next_attempt_at: at(0), due_at: at(0) },
	...changes,
});

describe('a delivery without a slot checks again', () => {
	const waits_s = (changes: Partial<Delivery>, random = 0) =>
		(asksAgainAt(delivery(changes), NOW, random) - NOW) / 1000;

	it('after as long as it has waited, from a minute to a quarter of an hour', () => {
		expect(waits_s({})).toBe(60);
		expect([-30, -600, -3600].map((seconds) => waits_s({ waiting_since: at(seconds) }))).toEqual([60, 600, 900]);
	});

	it('after a quarter of an hour before its first attempt', () => {
		expect(waits_s({ attempt_count: 0, waiting_since: at(-600) })).toBe(900);
	});

	it('up to a fifth earlier', () => {
		expect([0.5, 1].map((random) => waits_s({ waiting_since: at(-600) }, random))).toEqual([540, 480]);
	});
});

describe('a message', () => {
	const asked = (changes: Partial<Delivery>, message: { generation: number; exhausted?: true } = { generation: 2 }) =>
		askedByMessage(delivery(changes), message, NOW);

	it('has no effect for another generation, while the delivery is leased, and after its end', () => {
		expect(asked({}, { generation: 1 })).toBe('nothing');
		expect(asked({ lease_until: at(1) })).toBe('nothing');
		expect(asked({ status: 'succeeded' })).toBe('nothing');
	});

	it('leads to an attempt at the time of the delivery, and waits until then', () => {
		expect([asked({}), asked({ next_attempt_at: at(1) })]).toEqual(['attempt', 'wait_on']);
	});

	it('that an operator redrove starts an exhausted delivery over', () => {
		expect(asked({ status: 'failed' }, { generation: 2, exhausted: true })).toBe('start_over');
		expect(asked({ status: 'succeeded' }, { generation: 2, exhausted: true })).toBe('nothing');
	});
});

describe('a delivery that a person asks for', () => {
	const ask = (breaker: 'open' | 'closed', changes: Partial<Delivery> = {}) =>
		decideDelivery(delivery(changes), { input: 'ask', breaker }, NOW);

	it('is sent, except if it comes anyway', () => {
		expect(ask('closed')).toBeNull();
		expect(ask('open')).toMatchObject({ status: 'pending', generation: 3, asked_for: true });
		expect(ask('open', { asked_for: true })).toBeNull();
		expect(ask('open', { lease_until: at(1) })).toBeNull();
		expect(ask('closed', { next_attempt_at: at(1) })).toMatchObject({ generation: 3 });
	});

	it('stays one that has succeeded, also if its endpoint is deleted meanwhile', () => {
		expect(ask('closed', { status: 'failed' })).not.toHaveProperty('succeeded_before');
		const again = ask('closed', { status: 'succeeded', next_attempt_at: null });
		expect(again).toMatchObject({ status: 'pending', succeeded_before: true });
		if (again === null) throw new Error('it was not asked for');
		const stop = (input: 'endpoint_deleted' | 'endpoint_disabled') => decideDelivery(again, { input }, NOW)?.status;
		expect([stop('endpoint_deleted'), stop('endpoint_disabled')]).toEqual(['succeeded', 'held']);
	});
});

it('the sweep takes only what is due and not leased', () => {
	const swept = (changes: Partial<Delivery>) => decideDelivery(delivery(changes), { input: 'sweep' }, NOW);
	expect([{ due_at: null }, { due_at: at(1) }, { lease_until: at(1) }].map(swept)).toEqual([null, null, null]);
	expect(swept({})?.due_at).toBe(at(120));
});

it('a delivery in the middle of an attempt does not start over', () => {
	const over = { input: 'start_over', at_ms: NOW } as const;
	expect(decideDelivery(delivery({ lease_until: at(1) }), over, NOW)).toBeNull();
	const position = (changes: Partial<Delivery>) =>
		decideDelivery(delivery({ schedule_position: 3, ...changes }), over, NOW)?.schedule_position;
	expect([position({}), position({ status: 'failed', lease_until: at(1) })]).toEqual([3, 0]);
});

it('a delivery that starts over waits for its time and for the breaker', () => {
	const after = decideDelivery(delivery({ status: 'failed' }), { input: 'start_over', at_ms: NOW + 5000 }, NOW);
	expect(after).toMatchObject({ status: 'pending', generation: 3, next_attempt_at: at(5) });
	expect(after).not.toHaveProperty('asked_for', true);
});
