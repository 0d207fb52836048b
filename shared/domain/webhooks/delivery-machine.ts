import { type AttemptOutcome, watchedFrom } from './attempt-outcome.ts';
import type { Attempt, Delivery } from './delivery.ts';

// The delivery as a machine: pending, succeeded, failed, held, canceled. Each transition answers with the whole record to
// write under the version that was read.

/** No other process attempts a claimed delivery for this long: longer than an attempt can take. */
export const LEASE_MS = 60_000;
/** A delivery that the sweep has handed to a queue is looked at again after this, in case that message is lost too. */
const HANDED_OVER_MS = 120_000;
/** A delivery that the breaker keeps waiting asks again after as long as it has waited, within these bounds. */
const ASKS_AGAIN_MS = { least: 60_000, most: 900_000 } as const;

const isLeased = ({ lease_until }: Delivery, now_ms: number): boolean =>
	lease_until !== null && Date.parse(lease_until) > now_ms;

/** Whether a message of this generation may lead to an attempt, now or at the delivery's time. */
export function mayBeAttempted(delivery: Delivery, generation: number, now_ms: number): boolean {
	return delivery.status === 'pending' && delivery.generation === generation && !isLeased(delivery, now_ms);
}

/** In flight: an attempt holds it, or one is due at any moment. */
export function isInFlight(delivery: Delivery, now_ms: number): boolean {
	if (delivery.status !== 'pending') return false;
	return isLeased(delivery, now_ms) || Date.parse(delivery.next_attempt_at ?? '') <= now_ms;
}

/** Whether it waits for a time to come and no process holds it, so that it may be brought forward. */
export function isWaiting(delivery: Delivery, now_ms: number): boolean {
	return delivery.status === 'pending' && !isInFlight(delivery, now_ms);
}

/** Taken by one process for the length of a lease. */
export function claimed(delivery: Delivery, now_ms: number): Delivery {
	const { waiting_since, ...rest } = delivery;
	return { ...rest, version: delivery.version + 1, lease_until: new Date(now_ms + LEASE_MS).toISOString() };
}

/** Kept waiting until then by the breaker: not attempted, and not counted. */
export function postponed(delivery: Delivery, at_ms: number, now_ms: number): Delivery {
	return {
		...delivery,
		version: delivery.version + 1,
		waiting_since: delivery.waiting_since ?? new Date(now_ms).toISOString(),
		next_attempt_at: new Date(at_ms).toISOString(),
		due_at: watchedFrom(at_ms, now_ms),
	};
}

/** When a delivery without a slot asks again, in epoch milliseconds, up to a fifth earlier. `random` is in [0, 1). */
export function asksAgainAt(delivery: Delivery, now_ms: number, random: number): number {
	const waited_ms = now_ms - Date.parse(delivery.waiting_since ?? new Date(now_ms).toISOString());
	const wait_ms = Math.min(Math.max(waited_ms, ASKS_AGAIN_MS.least), ASKS_AGAIN_MS.most);
	return now_ms + Math.ceil(wait_ms * (1 - random / 5));
}

/** The delivery after an attempt: its newest attempt, its state, and when it is next due. */
export function afterAttempt(delivery: Delivery, attempt: Attempt, outcome: AttemptOutcome, now_ms: number): Delivery {
	const { asked_for, waiting_since, ...rest } = delivery;
	const base: Delivery = {
		...rest,
		version: delivery.version + 1,
		attempt_count: attempt.number,
		schedule_position: delivery.schedule_position + 1,
		lease_until: null,
		last_attempt: attempt,
		next_attempt_at: null,
		due_at: null,
	};
	switch (outcome.outcome) {
		case 'succeeded':
			return { ...base, status: 'succeeded' };
		case 'exhausted':
			// Due at once: the sweep points operators to it.
			return { ...base, status: 'failed', due_at: new Date(now_ms).toISOString() };
		case 'gone':
			return { ...base, status: 'failed' };
		case 'retry':
			return {
				...base,
				next_attempt_at: new Date(outcome.at_ms).toISOString(),
				due_at: watchedFrom(outcome.at_ms, now_ms),
			};
	}
}

/**
 * Its endpoint is disabled (`held`) or deleted (`canceled`). What had succeeded before a person asked for it again is not
 * canceled: it stays what it was.
 */
export function stopped(delivery: Delivery, status: 'canceled' | 'held'): Delivery {
	const { asked_for, waiting_since, ...rest } = delivery;
	const kept = status === 'canceled' && delivery.succeeded_before ? 'succeeded' : status;
	return { ...rest, version: delivery.version + 1, status: kept, next_attempt_at: null, due_at: null };
}

/**
 * A delivery that starts over as a new generation, due at `at_ms`: messages of the older one find nothing to do, so no
 * combination of replays doubles it. One that ended goes through the schedule again; a waiting one only comes sooner.
 */
export function replayed(delivery: Delivery, at_ms: number, now_ms: number): Delivery {
	const { waiting_since, ...rest } = delivery;
	return {
		...rest,
		version: delivery.version + 1,
		status: 'pending',
		generation: delivery.generation + 1,
		schedule_position: delivery.status === 'pending' ? delivery.schedule_position : 0,
		lease_until: null,
		next_attempt_at: new Date(at_ms).toISOString(),
		due_at: watchedFrom(at_ms, now_ms),
	};
}

/** A person asks for it: one attempt at once, whatever the breaker of its endpoint says. */
export function askedFor(delivery: Delivery, now_ms: number): Delivery {
	const before = delivery.status === 'succeeded' ? ({ succeeded_before: true } as const) : {};
	return { ...replayed(delivery, now_ms, now_ms), asked_for: true, ...before };
}

/** The sweep has looked at it: what is pending is looked at again, what has ended never more. */
export function lookedAt(delivery: Delivery, now_ms: number): Delivery {
	const due_at = delivery.status === 'pending' ? new Date(now_ms + HANDED_OVER_MS).toISOString() : null;
	return { ...delivery, version: delivery.version + 1, due_at };
}
