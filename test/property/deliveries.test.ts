import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { LEASE_MS } from '../../shared/domain/kernel/lease.ts';
import type { AttemptOutcome } from '../../shared/domain/webhooks/attempt-outcome.ts';
import type { Attempt, Delivery } from '../../shared/domain/webhooks/delivery.ts';
import { type DeliveryInput, decideDelivery, newDelivery } from '../../shared/domain/webhooks/delivery-machine.ts';
import { samples } from '../support/sample-records.ts';

// Checks properties of every delivery, for all inputs in all orders.

const START_MS = Date.parse('2026-11-09T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const ATTEMPT: Attempt = { ...samples.delivery_attempt.attempt, number: 1 };
const iso = (ms: number): string => new Date(ms).toISOString();
const ms = (at: string | null): number => Date.parse(at ?? '');

/**
 * An input that comes `after_ms` after the previous input. `far_ms`: how far in the future the input's time is, if it has one.
 * `late`: whether the input reports the attempt of the second newest claim, and not of the newest.
 */
type Happening = { readonly after_ms: number; readonly what: string; readonly far_ms: number; readonly late: boolean };
const happening: fc.Arbitrary<Happening> = fc.record({
	after_ms: fc.oneof(fc.constantFrom(0, 1, LEASE_MS - 1, LEASE_MS), fc.integer({ min: 0, max: 3 * HOUR_MS })),
	what: fc.constantFrom(
		'claim',
		'claim',
		'claim',
		'wait',
		'succeeded',
		'retry',
		'retry',
		'exhausted',
		'gone',
		'endpoint_disabled',
		'endpoint_deleted',
		'unsubscribed',
		'resend',
		'manual_retry',
		'sweep',
	),
	far_ms: fc.integer({ min: 0, max: 24 * HOUR_MS }),
	late: fc.boolean(),
});

type Step = {
	readonly input: DeliveryInput;
	readonly now_ms: number;
	readonly before: Delivery;
	readonly after: Delivery | null;
};

/** Plays the history of one delivery. Each step starts from the result of the previous step. */
function play(happenings: readonly Happening[]): readonly Step[] {
	let now_ms = START_MS;
	let current = newDelivery(samples.event, samples.webhook_endpoint, now_ms);
	const claims: Delivery[] = [current];
	return happenings.map(({ after_ms, what, far_ms, late }) => {
		now_ms += after_ms;
		const before = current;
		const claim = claims.at(late ? -2 : -1) ?? current;
		const input = inputOf(what, now_ms + far_ms, claim);
		const after = decideDelivery(before, input, now_ms);
		if (after !== null) current = after;
		if (after !== null && what === 'claim') claims.push(after);
		return { input, now_ms, before, after };
	});
}

function inputOf(what: string, at_ms: number, claim: Delivery): DeliveryInput {
	switch (what) {
		case 'claim':
		case 'sweep':
		case 'endpoint_disabled':
		case 'endpoint_deleted':
		case 'unsubscribed':
			return { input: what };
		case 'manual_retry':
			return { input: what };
		case 'wait':
			return { input: what, random: (at_ms % 256) / 256 };
		case 'resend':
			return { input: what, at_ms };
		default: {
			const outcome = (what === 'retry' ? { outcome: what, at_ms } : { outcome: what }) as AttemptOutcome;
			return { input: 'attempted', attempt: ATTEMPT, outcome, claim };
		}
	}
}

const happenings = fc.array(happening, { maxLength: 40 });
const histories = happenings.map(play);
/** Checks a rule at each step that changes the delivery, in each history. */
function everyStep(rule: (step: Step & { readonly after: Delivery }) => void): void {
	fc.assert(
		fc.property(histories, (steps) => {
			for (const step of steps) if (step.after !== null) rule({ ...step, after: step.after });
		}),
		{ numRuns: 600 },
	);
}

describe('a delivery', () => {
	it('is written with consecutive versions, and keeps its event and endpoint', () => {
		everyStep(({ before, after }) => {
			expect(after.version).toBe(before.version + 1);
			const { id, event_id, endpoint_id, created_at, expires_at_epoch_s } = before;
			expect(after).toMatchObject({ id, event_id, endpoint_id, created_at, expires_at_epoch_s });
		});
	});

	it('leaves a final state only as a new generation, and becomes a new generation only when it is sent again', () => {
		everyStep(({ input, before, after }) => {
			const again = input.input === 'resend' || input.input === 'manual_retry';
			expect(after.generation).toBe(before.generation + Number(again));
			if (before.status !== 'pending' && !again) expect(after.status).toBe(before.status);
		});
	});

	it('is leased by one process at a time', () => {
		everyStep(({ input, now_ms, before, after }) => {
			if (input.input !== 'claim') return;
			expect(before.lease_until === null || ms(before.lease_until) <= now_ms).toBe(true);
			expect(ms(after.lease_until)).toBe(now_ms + LEASE_MS);
		});
	});

	it('is always checked again while it is pending, and afterwards only to report it to operators', () => {
		everyStep(({ after, input, before }) => {
			if (after.status !== 'failed') expect(after.due_at !== null).toBe(after.status === 'pending');
			expect(after.next_attempt_at !== null).toBe(after.status === 'pending');
			const exhausted = input.input === 'attempted' && input.outcome.outcome === 'exhausted';
			if (after.status === 'failed' && !exhausted) expect(after.due_at).toBeNull();
			if (before.status === 'pending' && exhausted) expect(after.due_at).not.toBeNull();
		});
	});

	it('counts an attempt once, and accepts a failure only from the process with the lease', () => {
		everyStep(({ input, before, after }) => {
			const made = input.input === 'attempted';
			expect(after.attempt_count).toBe(before.attempt_count + Number(made));
			if (!made) return;
			expect(after.last_attempt?.number).toBe(after.attempt_count);
			expect(before.generation).toBe(input.claim.generation);
			if (input.outcome.outcome !== 'succeeded') expect(before.lease_until).toBe(input.claim.lease_until);
		});
	});

	it('that has succeeded is never canceled, even if a person asked for it again and its endpoint is gone', () => {
		fc.assert(
			fc.property(histories, (steps) => {
				const first = steps.findIndex(({ after }) => after?.status === 'succeeded');
				const asked = steps.slice(first < 0 ? steps.length : first + 1);
				if (asked.some(({ input, after }) => after !== null && input.input === 'resend')) return;
				expect(asked.map(({ after }) => after?.status)).not.toContain('canceled');
			}),
			{ numRuns: 1200 },
		);
	});

	it('keeps its position in the schedule when it is brought forward, and starts over if it had ended', () => {
		everyStep(({ input, before, after }) => {
			if (input.input !== 'resend' && input.input !== 'manual_retry') return;
			expect(after.schedule_position).toBe(before.status === 'pending' ? before.schedule_position : 0);
		});
	});

	it('ends by its schedule alone from every state, even after its process has died', () => {
		fc.assert(
			fc.property(histories, (steps) => {
				const last = steps.at(-1);
				let delivery = last?.after ?? last?.before ?? newDelivery(samples.event, samples.webhook_endpoint, START_MS);
				let nowMs = (last?.now_ms ?? START_MS) + LEASE_MS;
				for (let tries = 0; tries < 8 && delivery.status === 'pending'; tries += 1) {
					nowMs = Math.max(nowMs, ms(delivery.next_attempt_at));
					const claim = decideDelivery(delivery, { input: 'claim' }, nowMs);
					if (claim === null) throw new Error(`not taken at ${iso(nowMs)}`);
					const outcome =
						tries < 7 ? ({ outcome: 'retry', at_ms: nowMs + 1000 } as const) : ({ outcome: 'exhausted' } as const);
					const input = { input: 'attempted', attempt: ATTEMPT, outcome, claim } as const;
					delivery = decideDelivery(claim, input, nowMs + 1) ?? claim;
				}
				expect(delivery.status).not.toBe('pending');
			}),
			{ numRuns: 300 },
		);
	});
});
