import { describe, expect, it } from '@jest/globals';
import { lowestIdAt } from '../../../shared/domain/kernel/id.ts';
import {
	afterFailure,
	afterSuccess,
	bookWaiting,
	type Failed,
	isHealthy,
} from '../../../shared/domain/webhooks/endpoint-breaker.ts';
import type { EndpointHealth } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { samples } from '../../conformance/store/records.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();
const { health: healthy } = samples.webhook_endpoint;
const failing: EndpointHealth = { ...healthy, failing_since: at(-60), consecutive_failures: 3 };
const booking = (delivery_id: string, lane: 'call.requested' | 'again') => ({ delivery_id, lane, at: at(0) });
const open: EndpointHealth = {
	...failing,
	held_until: at(13),
	probing: {
		opened_at: at(-30),
		booked: [booking('a', 'again'), booking('b', 'call.requested')],
		last: null,
		from_id: '0',
	},
};
/** Held, without a probe yet. */
const { probing: _probing, ...held } = open;
const failed = (id: string, asked?: { readonly asked_for: true }): Failed => ({
	...{ sign: 'refused', delivery: { id, ...asked }, started_ms: NOW - 100, now_ms: NOW },
});

describe('while the breaker is open', () => {
	it('a booked delivery that fails gives its slot back, and others keep theirs', () => {
		const after = afterFailure(open, failed('a'));
		expect(after?.breaker).toBe('probed');
		expect(after?.health.probing).toEqual({ ...open.probing, booked: [booking('b', 'call.requested')], last: 'a' });
	});

	it('the failure of a delivery without a slot changes nothing, except if a person asked for it', () => {
		expect(afterFailure(open, failed('c'))).toBeNull();
		expect(afterFailure(held, failed('c'))).toBeNull();
		const asked = failed('c', { asked_for: true });
		expect(afterFailure(open, asked)?.health.probing?.booked).toHaveLength(2);
		expect(afterFailure(held, asked)?.health.probing).toMatchObject({ booked: [], last: 'c' });
	});

	it('each lane gets one slot, at the time from which the endpoint is held, and a delivery with a slot no second one', () => {
		const deliveries = ['a', 'c', 'd'].map((id) => ({
			...samples.delivery,
			id,
			attempt_count: 1,
			event: 'call.failed' as const,
		}));
		const { health, slots } = bookWaiting(held, deliveries, NOW);
		expect(slots.map(({ delivery, at_ms }) => [delivery.id, at_ms])).toEqual([['a', NOW + 13_000]]);
		expect(bookWaiting(health, deliveries, NOW).slots).toEqual([]);
		const late = bookWaiting({ ...held, held_until: at(-1) }, deliveries, NOW);
		expect(late.slots.map(({ at_ms }) => at_ms)).toEqual([NOW]);
	});

	it('the endpoint is not healthy, and a success makes it so', () => {
		const waiting = { ...healthy, held_until: at(13) };
		expect([isHealthy(healthy), isHealthy(waiting), isHealthy(failing)]).toEqual([true, false, false]);
		expect(afterSuccess(waiting, NOW)).toMatchObject({ held_until: null, trusted_since: at(0) });
		const refusing = { ...waiting, failing_since: at(-1), unreached: 0 };
		expect(afterSuccess(refusing, NOW)).toMatchObject({ held_until: null, failing_since: null });
	});
});

it('an endpoint that is held looks for probes among the deliveries of the last 15 s', () => {
	const dead = { ...failing, consecutive_failures: 4, unreached: 4, trusted_since: at(-60) };
	const after = afterFailure(dead, { ...failed('a'), sign: 'unreachable' });
	expect(after).toMatchObject({ breaker: 'opened', health: { probing: { from_id: lowestIdAt(NOW - 15_000) } } });
});

it('the record of failures keeps the hours of the last twelve that had any', () => {
	const failing_hours = Array.from({ length: 12 }, (_, hour) => at((hour - 20) * 3600).slice(0, 13));
	const after = afterFailure({ ...failing, failing_hours }, failed('a'))?.health.failing_hours;
	expect(after).toEqual([...failing_hours.slice(1), '2026-11-21T10']);
});

it('a failure counts its hour once, and a second one in that hour is written only for what it changes', () => {
	const first = afterFailure(healthy, failed('a'))?.health;
	expect(first).toMatchObject({ failing_since: at(-0.1), consecutive_failures: 1, failing_hours: ['2026-11-21T10'] });
	const second = afterFailure(first ?? healthy, failed('b'))?.health;
	expect(second).toMatchObject({ consecutive_failures: 2, failing_hours: ['2026-11-21T10'] });
	const many = { ...failing, consecutive_failures: 20, failing_hours: ['2026-11-21T10'], unreached: 0 };
	expect(afterFailure({ ...many, trusted_since: at(-1) }, failed('c'))).toBeNull();
});
