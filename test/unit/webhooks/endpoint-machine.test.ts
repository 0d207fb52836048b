import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AttemptError, attemptErrors, type Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { admit, bookWaiting, closed } from '../../../shared/domain/webhooks/endpoint-breaker.ts';
import { decideEndpoint, type Sign, signOf } from '../../../shared/domain/webhooks/endpoint-machine.ts';
import { type EventKind, eventKinds } from '../../../shared/domain/webhooks/event.ts';
import {
	type EndpointHealth,
	HEALTHY,
	type WebhookEndpoint,
} from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { samples } from '../../conformance/store/records.ts';

const NOW = Date.parse('2026-11-09T12:00:00.000Z');
const HOUR_MS = 3_600_000;

const endpointWith = (health: EndpointHealth): WebhookEndpoint => ({ ...samples.webhook_endpoint, health });
const deliveryOf = (id: string, event: EventKind = 'call.completed', attempt_count = 0): Delivery => ({
	...samples.delivery,
	id,
	event,
	attempt_count,
});

/** One attempt at this many seconds; returns the health after it, and the machine's other results. */
function attempted(health: EndpointHealth, sign: Sign, seconds: number, delivery: Delivery = deliveryOf('a')) {
	const now_ms = NOW + seconds * 1000;
	const after = decideEndpoint(
		endpointWith(health),
		{ input: 'attempted', sign, delivery, started_ms: now_ms },
		now_ms,
	);
	return { health: after?.endpoint.health ?? health, after };
}
/** Attempts at these seconds, all with the same end. */
function failing(sign: 'refused' | 'unreachable', seconds: readonly number[], from: EndpointHealth = HEALTHY) {
	return seconds.reduce((health, at) => attempted(health, sign, at).health, from);
}
const open = (): EndpointHealth => failing('unreachable', [0, 0, 0, 0, 0]);
const isOpen = (health: EndpointHealth): boolean => health.held_until !== null;

describe('the result of an attempt', () => {
	const status = (response_status: number) => signOf({ error: 'http_status', response_status });

	it('counts 429, 502, 503 and 504 as unreachable or overloaded, 410 as gone, and every other failed response as a refusal', () => {
		for (let code = 300; code <= 599; code += 1) {
			const overloaded = [429, 502, 503, 504].includes(code) ? 'unreachable' : 'refused';
			expect([code, status(code)]).toEqual([code, code === 410 ? 'gone' : overloaded]);
		}
	});

	it('counts every failure without a response as unreachable, except a bug of ours', () => {
		const answered: readonly AttemptError[] = ['http_status', 'redirect_not_followed', 'invalid_response', 'internal'];
		for (const error of attemptErrors) {
			const sign = signOf({ error, response_status: null });
			expect([error, sign]).toEqual([error, answered.includes(error) ? 'refused' : 'unreachable']);
		}
		expect(signOf({ error: null, response_status: 204 })).toBe('succeeded');
	});
});

describe("an endpoint's breaker", () => {
	it('opens at the fifth consecutive failure that shows the endpoint unreachable', () => {
		expect(isOpen(failing('unreachable', [0, 0, 0, 0]))).toBe(false);
		expect(isOpen(open())).toBe(true);
	});

	it('does not open while unreachable failures and refusals take turns: it answers', () => {
		let health: EndpointHealth = HEALTHY;
		for (let n = 0; n < 40; n += 1) health = attempted(health, n % 4 === 3 ? 'refused' : 'unreachable', n).health;
		expect(isOpen(health)).toBe(false);
	});

	it('opens at refusals only when nothing at all has succeeded for a minute', () => {
		expect(isOpen(failing('refused', [0, 1, 2, 3, 4, 5, 30, 59]))).toBe(false);
		expect(isOpen(failing('refused', [0, 1, 2, 3, 60]))).toBe(true);
		expect(isOpen(failing('refused', [0, 59, 60, 61]))).toBe(false);
		const well = attempted(failing('refused', [0, 1, 2, 3, 4]), 'succeeded', 50).health;
		expect(isOpen(failing('refused', [51, 52, 53, 54, 55, 109], well))).toBe(false);
	});

	it('does not open for 15 s after a success, for another may be on its way', () => {
		const well = attempted(failing('unreachable', [0]), 'succeeded', 1).health;
		expect(isOpen(failing('unreachable', [2, 3, 4, 5, 6, 7, 8, 15.9], well))).toBe(false);
		expect(isOpen(failing('unreachable', [2, 3, 4, 5, 16], well))).toBe(true);
	});

	it('closes at the first success of any event type', () => {
		const { health, after } = attempted(open(), 'succeeded', 40, deliveryOf('z', 'call.requested'));
		expect(after?.breaker).toBe('closed');
		expect(health).toMatchObject(HEALTHY);
	});

	it('is not touched by an attempt that began before it opened', () => {
		expect(attempted(open(), 'unreachable', 1).after).toBeNull();
	});

	it('closes when a person has the endpoint tried again, and stays closed for the time of an answer', () => {
		const again = closed(open(), NOW + 60_000);
		if (again === null) throw new Error('it was closed');
		expect(again).toMatchObject({ held_until: null, failing_since: new Date(NOW).toISOString() });
		expect(isOpen(failing('unreachable', [60, 60, 60, 60, 60], again))).toBe(false);
		expect(isOpen(failing('unreachable', [60, 60, 60, 60, 75], again))).toBe(true);
		expect(closed(HEALTHY, NOW)).toBeNull();
		const tryAgain = (health: EndpointHealth) => decideEndpoint(endpointWith(health), { input: 'try_again' }, NOW);
		expect(tryAgain(open())).toMatchObject({ breaker: 'closed', endpoint: { health: { held_until: null } } });
		expect(tryAgain(HEALTHY)).toBeNull();
	});
});

describe('probes of an open breaker', () => {
	it('have slots 13 s apart, one for each event type and one for retries', () => {
		let health = open();
		const at = [...eventKinds.map((kind) => deliveryOf(kind, kind)), deliveryOf('again', 'call.failed', 3)].map(
			(each) => {
				const admission = admit(health, each, NOW);
				if (admission.admit !== 'booked') throw new Error(admission.admit);
				health = admission.health;
				return (admission.at_ms - NOW) / 1000;
			},
		);
		expect(at).toEqual([13, 26, 39, 52, 65, 78, 91]);
		expect(admit(health, deliveryOf('other'), NOW).admit).toBe('wait');
		expect(admit(health, deliveryOf('other again', 'call.failed', 1), NOW).admit).toBe('wait');
	});

	it('are sent at once if the slot is free, and when their slot is due', () => {
		const probe = admit(open(), deliveryOf('b'), NOW + 20_000);
		if (probe.admit !== 'probe') throw new Error(probe.admit);
		expect(admit(probe.health, deliveryOf('b'), NOW + 20_000).admit).toBe('now');
		expect(probe.health.held_until).toBe(new Date(NOW + 33_000).toISOString());
	});

	it('are never the same delivery twice in a row, unless no other took the slot for 30 s', () => {
		const probe = admit(open(), deliveryOf('b'), NOW + 20_000);
		if (probe.admit !== 'probe') throw new Error(probe.admit);
		const { health, after } = attempted(probe.health, 'unreachable', 21, deliveryOf('b'));
		expect(after?.breaker).toBe('probed');
		const again = deliveryOf('b', 'call.completed', 1);
		expect(admit(health, again, NOW + 33_000 + 29_999).admit).toBe('wait');
		expect(admit(health, again, NOW + 33_000 + 30_000).admit).toBe('probe');
		expect(admit(health, deliveryOf('c'), NOW + 33_000).admit).toBe('probe');
	});

	it('lose their slot when they have not reported after 75 s', () => {
		const probe = admit(open(), deliveryOf('b'), NOW + 20_000);
		if (probe.admit !== 'probe') throw new Error(probe.admit);
		expect(admit(probe.health, deliveryOf('c'), NOW + 94_999).admit).toBe('wait');
		expect(admit(probe.health, deliveryOf('c'), NOW + 95_000).admit).toBe('probe');
	});

	it('are the oldest waiting delivery of each event type whose lane is free', () => {
		const waiting = ['r1', 'r2', 'r3'].map((id) => deliveryOf(id, 'call.ringing'));
		const { slots } = bookWaiting(open(), [...waiting, deliveryOf('c1'), deliveryOf('c2')], NOW);
		expect(slots.map(({ delivery, at_ms }) => [delivery.id, (at_ms - NOW) / 1000])).toEqual([
			['r1', 13],
			['c1', 26],
		]);
	});

	it('are not needed for a person’s retry: it is sent now, and its failure counts', () => {
		const asked: Delivery = { ...deliveryOf('m'), asked_for: true };
		expect(admit(open(), asked, NOW).admit).toBe('now');
		const { health } = attempted(open(), 'unreachable', 1, asked);
		expect([health.consecutive_failures, health.probing?.last]).toEqual([6, 'm']);
	});

	it('make no lane wait longer than 91 s, for all inputs in all orders', () => {
		const arrival = fc.record({
			wait_s: fc.integer({ min: 0, max: 30 }),
			kind: fc.constantFrom(...eventKinds),
			tried: fc.constantFrom(0, 0, 2),
		});
		fc.assert(
			fc.property(fc.array(arrival, { maxLength: 60 }), (arrivals) => {
				let [health, now_ms] = [open(), NOW];
				arrivals.forEach(({ wait_s, kind, tried }, n) => {
					now_ms += wait_s * 1000;
					const admission = admit(health, deliveryOf(String(n), kind, tried), now_ms);
					if (admission.admit === 'booked') expect(admission.at_ms - now_ms).toBeLessThanOrEqual(91_000);
					if (admission.admit === 'booked' || admission.admit === 'probe') health = admission.health;
					const slots = (health.probing?.booked ?? []).map(({ at }) => Date.parse(at)).sort((a, b) => a - b);
					slots.slice(1).forEach((at, position) => {
						expect(at - (slots[position] ?? 0)).toBeGreaterThanOrEqual(13_000);
					});
					const lanes = (health.probing?.booked ?? []).map(({ lane }) => lane);
					expect(new Set(lanes).size).toBe(lanes.length);
				});
			}),
		);
	});
});

describe("an endpoint's health", () => {
	it('is not written by a success of a healthy one, nor by one among refusals that have just begun', () => {
		expect(attempted(HEALTHY, 'succeeded', 0).after).toBeNull();
		const refusing = failing('refused', [0]);
		expect(attempted(refusing, 'succeeded', 4.9).after).toBeNull();
		expect(attempted(refusing, 'succeeded', 5).health).toMatchObject(HEALTHY);
		expect(attempted(failing('unreachable', [0]), 'succeeded', 1).health).toMatchObject(HEALTHY);
	});

	it('is written at most 20 times in an hour of refusals, before the breaker opens', () => {
		let writes = 0;
		let health: EndpointHealth = HEALTHY;
		for (let n = 0; n < 500; n += 1) {
			const { after } = attempted(health, 'refused', n / 10);
			if (after !== null) writes += 1;
			health = after?.endpoint.health ?? health;
		}
		expect(writes).toBe(20);
	});

	const hourly = (hours: readonly number[]) => {
		let health: EndpointHealth = HEALTHY;
		return hours.map((hour) => {
			const told = { ...deliveryOf('a'), asked_for: true } as const;
			const { after } = attempted(health, 'refused', (hour * HOUR_MS) / 1000, told);
			health = after?.endpoint.health ?? health;
			return after;
		});
	};

	it('disables an endpoint after five days without a success, with warnings before', () => {
		const afters = hourly(Array.from({ length: 122 }, (_, hour) => hour));
		const warned = afters.flatMap((after, hour) => (after?.warn ? [[hour, after.warn]] : []));
		expect(warned).toEqual([
			[24, '24h'],
			[72, '72h'],
		]);
		expect(afters.findIndex((after) => after?.disabled === 'failing')).toBe(120);
		expect(afters[120]?.endpoint).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
	});

	it('disables none for fewer than 20 failures, nor for those of fewer than 12 hours', () => {
		const off = (hours: readonly number[]) => hourly(hours).map((after) => after?.disabled === 'failing');
		const every8 = (count: number) => Array.from({ length: count }, (_, n) => n * 8);
		expect([off(every8(19)).at(-1), off(every8(20)).at(-1)]).toEqual([false, true]);
		const eleven = Array.from({ length: 33 }, (_, n) => Math.floor(n / 3) * 13 + (n % 3) / 10);
		expect(new Set(off(eleven))).toEqual(new Set([false]));
		expect(off([...eleven, 143]).at(-1)).toBe(true);
	});

	it('never disables an endpoint that accepts some events, even if it refuses most', () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 60, maxLength: 200 }), (pauses) => {
				let [health, minutes] = [HEALTHY as EndpointHealth, 0];
				pauses.forEach((pause, n) => {
					minutes += pause;
					const { after } = attempted(health, n % 12 === 11 ? 'succeeded' : 'refused', minutes * 60);
					expect(after?.disabled ?? null).toBeNull();
					health = after?.endpoint.health ?? health;
				});
			}),
		);
	});

	it('disables an endpoint that answers 410, with the reason', () => {
		const { after } = attempted(HEALTHY, 'gone', 0);
		expect(after).toMatchObject({ disabled: 'gone', endpoint: { status: 'disabled', disabled_reason: 'gone' } });
	});
});

it('an edit keeps the record of failures, also of a disabled endpoint, until it is enabled', () => {
	const disabled: WebhookEndpoint = { ...endpointWith(open()), status: 'disabled', disabled_reason: 'failing' };
	const edited = (edit: { readonly description?: string; readonly status?: 'enabled' }) =>
		decideEndpoint(disabled, { input: 'edit', edit, resumes: false }, NOW)?.endpoint;
	expect(edited({ description: 'Orders' })).toMatchObject({ disabled_reason: 'failing', health: open() });
	expect(edited({ status: 'enabled' })).toMatchObject({ disabled_reason: null, health: HEALTHY });
});
