import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
	allowAttempt,
	HEALTHY,
	type HealthSignal,
	healthAfterFailure,
	healthSignalOf,
} from '../../../shared/domain/webhooks/circuit-breaker.ts';
import { type AttemptError, attemptErrors } from '../../../shared/domain/webhooks/delivery.ts';
import { decideEndpoint } from '../../../shared/domain/webhooks/endpoint-machine.ts';
import type { EndpointHealth, WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { samples } from '../../support/sample-records.ts';

const NOW = Date.parse('2026-11-09T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const endpointWith = (health: EndpointHealth): WebhookEndpoint => ({ ...samples.webhook_endpoint, health });
/** One attempt at this second. Returns the endpoint's health after it, and the decision of the state machine. */
function attempted(health: EndpointHealth, signal: HealthSignal, seconds: number) {
	const nowMs = NOW + seconds * 1000;
	const after = decideEndpoint(endpointWith(health), { input: 'attempted', signal, started_ms: nowMs }, nowMs);
	return { health: after?.health ?? health, after };
}
/** Attempts at these seconds that all end with the same signal. */
function failing(signal: 'refused' | 'unreachable', seconds: readonly number[], from: EndpointHealth = HEALTHY) {
	return seconds.reduce((health, at) => attempted(health, signal, at).health, from);
}
const open = (): EndpointHealth => failing('unreachable', [0, 0, 0, 0, 0]);
const isOpen = (health: EndpointHealth): boolean => health.open_until !== null;

describe('the result of an attempt', () => {
	const status = (response_status: number, outcome: 'retry' | 'gone' = 'retry') =>
		healthSignalOf({ error: 'http_status', response_status }, { outcome });

	it('counts 429, 502, 503 and 504 as unreachable or overloaded, and every other failed response as a refusal', () => {
		for (let code = 300; code <= 599; code += 1) {
			const overloaded = [429, 502, 503, 504].includes(code) ? 'unreachable' : 'refused';
			expect([code, status(code)]).toEqual([code, overloaded]);
		}
	});

	it('counts the receiver’s own 410 as gone, and a 410 of a firewall or proxy as a refusal', () => {
		expect([status(410, 'gone'), status(410, 'retry')]).toEqual(['gone', 'refused']);
	});

	it('counts every failure without a response as unreachable, except a bug of the service', () => {
		const answered: readonly AttemptError[] = ['http_status', 'redirect_not_followed', 'invalid_response', 'internal'];
		for (const error of attemptErrors) {
			const signal = healthSignalOf({ error, response_status: null }, { outcome: 'retry' });
			expect([error, signal]).toEqual([error, answered.includes(error) ? 'refused' : 'unreachable']);
		}
		expect(healthSignalOf({ error: null, response_status: 204 }, { outcome: 'succeeded' })).toBe('succeeded');
	});
});

describe("an endpoint's breaker", () => {
	it('opens at the fifth consecutive failure that shows the endpoint unreachable', () => {
		expect(isOpen(failing('unreachable', [0, 0, 0, 0]))).toBe(false);
		expect(isOpen(open())).toBe(true);
	});

	it('does not open while failures and answers alternate, because an endpoint that answers is reachable', () => {
		for (const answer of ['refused', 'succeeded'] as const) {
			let health: EndpointHealth = HEALTHY;
			for (let n = 0; n < 40; n += 1) health = attempted(health, n % 5 === 4 ? answer : 'unreachable', n).health;
			expect(isOpen(health)).toBe(false);
		}
		expect(isOpen(failing('refused', [0, 1, 2, 3, 4, 5, 3600]))).toBe(false);
	});

	it('closes at the first answer, a success or a refusal', () => {
		expect(attempted(open(), 'succeeded', 40).health).toEqual(HEALTHY);
		expect(attempted(open(), 'refused', 40).health).toMatchObject({
			open_until: null,
			consecutive_unreachable: 0,
			consecutive_failures: 6,
		});
	});

	it('counts to five; while it is open, a failure does not change when the next attempt may pass', () => {
		const { health } = attempted(open(), 'unreachable', 7);
		expect(health).toEqual({ ...open(), consecutive_failures: 6 });
		expect(open()).toMatchObject({ consecutive_unreachable: 5, open_until: new Date(NOW + 13_000).toISOString() });
	});

	it('lets one attempt pass after 13 s, and a person’s retry at any time', () => {
		expect(allowAttempt(HEALTHY, {}, NOW)).toBe(HEALTHY);
		expect(allowAttempt(open(), {}, NOW + 12_999)).toBeNull();
		const next = new Date(NOW + 26_000).toISOString();
		expect(allowAttempt(open(), {}, NOW + 13_000)).toEqual({ ...open(), open_until: next });
		const health = open();
		expect(allowAttempt(health, { is_manual_retry: true }, NOW)).toBe(health);
	});
});

describe("an endpoint's health", () => {
	it('is not written after a success of a healthy endpoint, and is reset after a success of a failing endpoint', () => {
		const { failing_since, ...rest } = HEALTHY;
		// The order of the fields does not matter, because DynamoDB does not preserve it.
		for (const health of [HEALTHY, { ...rest, failing_since }])
			expect(attempted(health, 'succeeded', 0).after).toBeNull();
		for (const signal of ['refused', 'unreachable'] as const) {
			const { after } = attempted(failing(signal, [0]), 'succeeded', 1);
			expect(after).toMatchObject({ health: HEALTHY, updated_at: samples.webhook_endpoint.updated_at });
		}
	});

	it('is written at most 20 times in an hour of refusals', () => {
		let writes = 0;
		let health: EndpointHealth = HEALTHY;
		for (let n = 0; n < 500; n += 1) {
			const { after } = attempted(health, 'refused', n / 10);
			if (after !== null) writes += 1;
			health = after?.health ?? health;
		}
		expect(writes).toBe(20);
	});

	const hourly = (hours: readonly number[]) => {
		let health: EndpointHealth = HEALTHY;
		return hours.map((hour) => {
			const { after } = attempted(health, 'refused', (hour * HOUR_MS) / 1000);
			health = after?.health ?? health;
			return after;
		});
	};

	it('disables an endpoint after five days without a success, with warnings before', () => {
		const afters = hourly(Array.from({ length: 122 }, (_, hour) => hour));
		const warned = [23, 24, 71, 72].map((hour) => afters[hour]?.health.warned);
		expect(warned).toEqual([[], ['24h'], ['24h'], ['24h', '72h']]);
		expect(afters.findIndex((after) => after?.status === 'disabled')).toBe(120);
		const updated_at = new Date(NOW + 120 * HOUR_MS).toISOString();
		expect(afters[120]).toMatchObject({ status: 'disabled', disabled_reason: 'failing', updated_at });
	});

	it('disables no endpoint for fewer than 20 failures, or for failures within less than 12 hours', () => {
		const off = (hours: readonly number[]) => hourly(hours).map((after) => after?.disabled_reason === 'failing');
		const every8 = (count: number) => Array.from({ length: count }, (_, n) => n * 8);
		expect([off(every8(19)).at(-1), off(every8(20)).at(-1)]).toEqual([false, true]);
		const eleven = Array.from({ length: 33 }, (_, n) => Math.floor(n / 3) * 13 + (n % 3) / 10);
		expect(new Set(off(eleven))).toEqual(new Set([false]));
		expect(off([...eleven, 143]).at(-1)).toBe(true);
	});

	it('never disables an endpoint that accepts some events, even if it refuses most', () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 60, maxLength: 200 }), (pauses) => {
				let health = HEALTHY as EndpointHealth;
				let minutes = 0;
				pauses.forEach((pause, n) => {
					minutes += pause;
					const { after } = attempted(health, n % 12 === 11 ? 'succeeded' : 'refused', minutes * 60);
					expect(after?.disabled_reason ?? null).toBeNull();
					health = after?.health ?? health;
				});
			}),
		);
	});
});

it('an edit leaves an endpoint’s record of failures unchanged, even if it is disabled; enabling the endpoint clears the record', () => {
	const disabled: WebhookEndpoint = { ...endpointWith(open()), status: 'disabled', disabled_reason: 'failing' };
	const edited = (edit: { readonly description?: string; readonly status?: 'enabled' }) =>
		decideEndpoint(disabled, { input: 'edit', edit }, NOW);
	expect(edited({ description: 'Orders' })).toMatchObject({ disabled_reason: 'failing', health: open() });
	expect(edited({ status: 'enabled' })).toMatchObject({ disabled_reason: null, health: HEALTHY });
	const renamed = decideEndpoint(endpointWith(open()), { input: 'edit', edit: { description: 'Orders' } }, NOW);
	expect(renamed).toMatchObject({ status: 'enabled', disabled_reason: null, health: open() });
	const off = decideEndpoint(endpointWith(open()), { input: 'edit', edit: { status: 'disabled' } }, NOW);
	expect(off).toMatchObject({ disabled_reason: 'manual', health: open() });
});

describe('the record of failures', () => {
	const failed = { started_ms: NOW - 100, now_ms: NOW } as const;
	const hour = (offset: number): string => new Date(NOW + offset * HOUR_MS).toISOString().slice(0, 13);

	it('begins when the first failed attempt began, and counts the hour of that attempt once', () => {
		const first = healthAfterFailure(HEALTHY, 'refused', failed);
		const failing_since = new Date(NOW - 100).toISOString();
		expect(first).toMatchObject({ failing_since, consecutive_failures: 1, failing_hours: [hour(0)] });
		const second = healthAfterFailure(first, 'refused', { ...failed, started_ms: NOW });
		expect(second).toMatchObject({ failing_since, consecutive_failures: 2, failing_hours: [hour(0)] });
	});

	it('has the twelve latest hours in which an attempt failed, and is not written if nothing changes', () => {
		const failing_hours = Array.from({ length: 12 }, (_, n) => hour(n - 20));
		const failing_since = new Date(NOW - HOUR_MS).toISOString();
		const before = { ...HEALTHY, failing_since, consecutive_failures: 20, failing_hours };
		const after = healthAfterFailure(before, 'refused', failed);
		expect(after.failing_hours).toEqual([...failing_hours.slice(1), hour(0)]);
		const again = { input: 'attempted', signal: 'refused', started_ms: NOW } as const;
		expect(decideEndpoint(endpointWith(after), again, NOW)).toBeNull();
	});
});
