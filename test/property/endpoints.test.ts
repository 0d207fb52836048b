import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { HealthSignal } from '../../shared/domain/webhooks/circuit-breaker.ts';
import { decideEndpoint, type EndpointInput, newEndpoint } from '../../shared/domain/webhooks/endpoint-machine.ts';
import type { WebhookEndpoint } from '../../shared/domain/webhooks/webhook-endpoint.ts';
import { samples } from '../support/sample-records.ts';

// Checks properties of every endpoint, for all responses of its receiver and all actions of its owner, in all orders.

const START_MS = Date.parse('2026-11-09T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Happening = { readonly after_ms: number; readonly what: string; readonly by: string };
const happening: fc.Arbitrary<Happening> = fc.record({
	after_ms: fc.oneof(
		{ weight: 2, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
		{ weight: 2, arbitrary: fc.integer({ min: 0, max: 12 * HOUR_MS }) },
	),
	what: fc.oneof(
		{ weight: 12, arbitrary: fc.constantFrom('refused', 'unreachable') },
		{ weight: 2, arbitrary: fc.constantFrom('succeeded', 'gone') },
		{ weight: 2, arbitrary: fc.constantFrom('enable', 'disable', 'rename') },
	),
	by: fc.constantFrom('a', 'b', 'asked for'),
});

type Step = {
	readonly what: string;
	readonly now_ms: number;
	readonly before: WebhookEndpoint;
	readonly after: WebhookEndpoint | null;
};

function inputOf({ what, by }: Happening, started_ms: number): EndpointInput {
	switch (what) {
		case 'enable':
			return { input: 'edit', edit: { status: 'enabled' } };
		case 'disable':
			return { input: 'edit', edit: { status: 'disabled' } };
		case 'rename':
			return { input: 'edit', edit: { description: by } };
		default:
			return { input: 'attempted', signal: what as HealthSignal, started_ms };
	}
}

function play(happenings: readonly Happening[]): readonly Step[] {
	const { id, workspace_id, url, description, events } = samples.webhook_endpoint;
	const given = { id, workspace_id, url, description, events, header_names: [], sealed_headers: null };
	let current = newEndpoint(given, 'sealed', START_MS);
	let now_ms = START_MS;
	return happenings.map((each) => {
		now_ms += each.after_ms;
		const before = current;
		const after = decideEndpoint(before, inputOf(each, now_ms), now_ms);
		if (after !== null) current = after;
		return { what: each.what, now_ms, before, after };
	});
}

const histories = fc.array(happening, { maxLength: 80 }).map(play);
function everyStep(rule: (step: Step & { readonly after: WebhookEndpoint }) => void): void {
	fc.assert(
		fc.property(histories, (steps) => {
			for (const step of steps) if (step.after !== null) rule({ ...step, after: step.after });
		}),
		{ numRuns: 600 },
	);
}
const isOpen = ({ health }: WebhookEndpoint): boolean => health.open_until !== null;

describe('an endpoint', () => {
	it('is written with consecutive versions, and keeps its secrets', () => {
		everyStep(({ before, after: endpoint }) => {
			expect(endpoint.version).toBe(before.version + 1);
			expect(endpoint.secrets).toEqual(before.secrets);
		});
	});

	it('has a reason exactly when it is disabled', () => {
		everyStep(({ after: endpoint }) => {
			expect(endpoint.disabled_reason !== null).toBe(endpoint.status === 'disabled');
		});
	});

	it('is enabled only by its owner, and then has no record of failures', () => {
		everyStep(({ what, before, after: endpoint }) => {
			if (before.status === endpoint.status || endpoint.status === 'disabled') return;
			expect(what).toBe('enable');
			expect(endpoint.health).toMatchObject({ failing_since: null, open_until: null, consecutive_failures: 0 });
		});
	});

	it('is disabled for failures only after five days without a success, and for a 410 at once', () => {
		everyStep(({ what, now_ms, before, after: { disabled_reason } }) => {
			if (disabled_reason === before.disabled_reason) return;
			if (disabled_reason === 'gone') expect(what).toBe('gone');
			if (disabled_reason !== 'failing') return;
			expect(what).toMatch(/refused|unreachable/);
			expect(now_ms - Date.parse(before.health.failing_since ?? '')).toBeGreaterThanOrEqual(5 * DAY_MS);
		});
	});

	it('opens its breaker only when it is unreachable, after at least five failures in a row, and closes it only at an answer or when it is enabled', () => {
		everyStep(({ what, before, after: endpoint }) => {
			if (!isOpen(before) && isOpen(endpoint)) {
				expect(what).toBe('unreachable');
				expect(endpoint.health.consecutive_failures).toBeGreaterThanOrEqual(5);
			}
			if (isOpen(before) && !isOpen(endpoint)) expect(what).toMatch(/succeeded|refused|enable/);
		});
	});

	it('causes one notice to its owner at each threshold in a run of failures', () => {
		fc.assert(
			fc.property(histories, (steps) => {
				for (const { before, after } of steps) {
					if (after === null || after.health.failing_since === null) continue;
					const { warned } = after.health;
					expect(warned.slice(0, before.health.warned.length)).toEqual(before.health.warned);
					expect(new Set(warned).size).toBe(warned.length);
				}
			}),
			{ numRuns: 600 },
		);
	});

	it('is not written after a success if it is healthy, so that a busy endpoint is no hot item', () => {
		fc.assert(
			fc.property(histories, (steps) => {
				for (const { what, before, after } of steps) {
					const well = before.health.failing_since === null && !isOpen(before);
					if (what === 'succeeded' && well) expect(after).toBeNull();
				}
			}),
			{ numRuns: 300 },
		);
	});
});
