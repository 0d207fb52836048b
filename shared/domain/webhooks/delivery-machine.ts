import { derivedId } from '../kernel/id.ts';
import { watchedFrom } from '../kernel/wake-up.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { Attempt, Delivery } from './delivery.ts';
import type { Event } from './event.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

// The delivery as a machine: pending, succeeded, failed, held, canceled. Every transition is decided here; docs/delivery-states.md
// shows them all.

/** What happens to a delivery. */
export type DeliveryInput =
	/** A process takes it for one attempt. */
	| { readonly input: 'claim' }
	/** The breaker of its endpoint keeps it waiting. */
	| { readonly input: 'wait'; readonly at_ms: number }
	/** An attempt under `claim` has ended. */
	| {
			readonly input: 'attempted';
			readonly attempt: Attempt;
			readonly outcome: AttemptOutcome;
			readonly claim: Pick<Delivery, 'generation' | 'lease_until'>;
	  }
	/** It comes up, and its endpoint is disabled or deleted. */
	| { readonly input: 'endpoint_disabled' | 'endpoint_deleted' }
	/** It is sent again: by a recovery, by operators, because its endpoint was enabled or its breaker closed. */
	| { readonly input: 'start_over'; readonly at_ms: number }
	/** A retry on request: one attempt at once, even if the endpoint's breaker is open. */
	| { readonly input: 'ask' }
	/** The sweep looks at it. */
	| { readonly input: 'sweep' };

/**
 * The delivery after an input: the whole record, to be written under the version that was read. Null: the input means
 * nothing to a delivery in this state.
 */
export function decideDelivery(delivery: Delivery, input: DeliveryInput, now_ms: number): Delivery | null {
	switch (input.input) {
		case 'attempted':
			return isStillOurs(delivery, input) ? afterAttempt(delivery, input, now_ms) : null;
		case 'start_over':
			return isInFlight(delivery, now_ms) ? null : startedOver(delivery, input.at_ms, now_ms);
		case 'ask':
			return isInFlight(delivery, now_ms) ? null : askedFor(delivery, now_ms);
		case 'sweep':
			return isUpForSweep(delivery, now_ms) ? lookedAt(delivery, now_ms) : null;
		case 'claim':
		case 'wait':
		case 'endpoint_disabled':
		case 'endpoint_deleted':
			return isFree(delivery, now_ms) ? comingUp(delivery, input, now_ms) : null;
	}
}

type ComingUp = Extract<DeliveryInput, { readonly input: 'claim' | 'wait' | 'endpoint_disabled' | 'endpoint_deleted' }>;

/** What becomes of a delivery that comes up for an attempt. */
function comingUp(delivery: Delivery, input: ComingUp, now_ms: number): Delivery {
	switch (input.input) {
		case 'claim':
			return claimed(delivery, now_ms);
		case 'wait':
			return postponed(delivery, input.at_ms, now_ms);
		case 'endpoint_disabled':
			return stopped(delivery, 'held');
		case 'endpoint_deleted':
			return stopped(delivery, 'canceled');
	}
}

/** The one delivery of an event to an endpoint: its id follows from the two, so it cannot exist twice. */
export function newDelivery(event: Event, endpoint: WebhookEndpoint, at_ms: number): Delivery {
	const enabled = endpoint.status === 'enabled';
	return {
		id: derivedId(Date.parse(event.created_at), event.id, endpoint.id),
		version: 1,
		workspace_id: event.workspace_id,
		endpoint_id: endpoint.id,
		event_id: event.id,
		subject_id: event.subject_id,
		event: event.kind,
		sequence: event.sequence,
		status: enabled ? 'pending' : 'held',
		generation: 1,
		attempt_count: 0,
		schedule_position: 0,
		next_attempt_at: enabled ? new Date(at_ms).toISOString() : null,
		lease_until: null,
		last_attempt: null,
		created_at: event.created_at,
		due_at: enabled ? watchedFrom(at_ms, at_ms) : null,
		expires_at_epoch_s: event.expires_at_epoch_s,
	};
}

/** No other process attempts a claimed delivery for this long: longer than an attempt can take. */
export const LEASE_MS = 60_000;
/** A delivery that the sweep has handed to a queue is looked at again after this, in case that message is lost too. */
const HANDED_OVER_MS = 120_000;
/** A delivery that the breaker keeps waiting asks again after as long as it has waited, within these bounds. */
const ASKS_AGAIN_MS = { least: 60_000, most: 900_000 } as const;

const isLeased = ({ lease_until }: Delivery, now_ms: number): boolean =>
	lease_until !== null && Date.parse(lease_until) > now_ms;

/** Pending, and no process holds it. */
const isFree = (delivery: Delivery, now_ms: number): boolean =>
	delivery.status === 'pending' && !isLeased(delivery, now_ms);

/**
 * What a message asks for. One of another generation, or of a delivery that another process holds or that has ended, is
 * dropped; `exhausted`: operators gave the pointer to an exhausted delivery back.
 */
export function askedByMessage(
	delivery: Delivery,
	message: { readonly generation: number; readonly exhausted?: true | undefined },
	now_ms: number,
): 'attempt' | 'wait_on' | 'start_over' | 'nothing' {
	if (delivery.generation !== message.generation) return 'nothing';
	if (message.exhausted) return delivery.status === 'failed' ? 'start_over' : 'nothing';
	if (!isFree(delivery, now_ms)) return 'nothing';
	return Date.parse(delivery.next_attempt_at ?? '') > now_ms ? 'wait_on' : 'attempt';
}

/** Whether a recovery of what failed has to send it again. */
export function isMissed({ status }: Delivery): boolean {
	return status === 'failed' || status === 'held' || status === 'canceled';
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

/** When a delivery without a slot asks again, in epoch milliseconds, up to a fifth earlier. `random` is in [0, 1). */
export function asksAgainAt(delivery: Delivery, now_ms: number, random: number): number {
	const waited_ms = now_ms - Date.parse(delivery.waiting_since ?? new Date(now_ms).toISOString());
	const wait_ms = Math.min(Math.max(waited_ms, ASKS_AGAIN_MS.least), ASKS_AGAIN_MS.most);
	return now_ms + Math.ceil(wait_ms * (1 - random / 5));
}

/** Taken by one process for the length of a lease. */
function claimed(delivery: Delivery, now_ms: number): Delivery {
	const { waiting_since, ...rest } = delivery;
	return { ...rest, version: delivery.version + 1, lease_until: new Date(now_ms + LEASE_MS).toISOString() };
}

/** Kept waiting until then by the breaker: not attempted, and not counted. */
function postponed(delivery: Delivery, at_ms: number, now_ms: number): Delivery {
	return {
		...delivery,
		version: delivery.version + 1,
		waiting_since: delivery.waiting_since ?? new Date(now_ms).toISOString(),
		next_attempt_at: new Date(at_ms).toISOString(),
		due_at: watchedFrom(at_ms, now_ms),
	};
}

type Attempted = Extract<DeliveryInput, { readonly input: 'attempted' }>;

/**
 * A newer generation decides for itself. Where the lease ran out meanwhile, only a success still counts: of a failure, the
 * process that holds the delivery now knows more.
 */
function isStillOurs(delivery: Delivery, { claim, outcome }: Attempted): boolean {
	if (delivery.generation !== claim.generation || delivery.status !== 'pending') return false;
	return outcome.outcome === 'succeeded' || delivery.lease_until === claim.lease_until;
}

/** Its newest attempt, its state, and when it is next due. */
function afterAttempt(delivery: Delivery, { attempt: made, outcome }: Attempted, now_ms: number): Delivery {
	const { asked_for, waiting_since, ...rest } = delivery;
	const attempt = { ...made, number: Math.max(made.number, delivery.attempt_count + 1) };
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
function stopped(delivery: Delivery, status: 'canceled' | 'held'): Delivery {
	const { asked_for, waiting_since, ...rest } = delivery;
	const kept = status === 'canceled' && delivery.succeeded_before ? 'succeeded' : status;
	return { ...rest, version: delivery.version + 1, status: kept, next_attempt_at: null, due_at: null };
}

/**
 * A delivery that starts over as a new generation, due at `at_ms`: messages of the older one find nothing to do, so no
 * combination of replays doubles it. One that ended goes through the schedule again; a waiting one only comes sooner.
 */
function startedOver(delivery: Delivery, at_ms: number, now_ms: number): Delivery {
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

function askedFor(delivery: Delivery, now_ms: number): Delivery {
	const before = delivery.status === 'succeeded' ? ({ succeeded_before: true } as const) : {};
	return { ...startedOver(delivery, now_ms, now_ms), asked_for: true, ...before };
}

/** Something is due, and no process holds it. */
function isUpForSweep(delivery: Delivery, now_ms: number): boolean {
	return delivery.due_at !== null && Date.parse(delivery.due_at) <= now_ms && !isLeased(delivery, now_ms);
}

/** The sweep has looked at it: what is pending is looked at again, what has ended never more. */
function lookedAt(delivery: Delivery, now_ms: number): Delivery {
	const due_at = delivery.status === 'pending' ? new Date(now_ms + HANDED_OVER_MS).toISOString() : null;
	return { ...delivery, version: delivery.version + 1, due_at };
}
