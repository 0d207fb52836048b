import { derivedId } from '../kernel/id.ts';
import { TIMED_BY_MESSAGE_MS } from '../kernel/wake-up.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { Attempt, Delivery } from './delivery.ts';
import type { Event } from './event.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

// The delivery's state machine: pending, succeeded, failed, held, canceled. It decides every transition;
// docs/delivery-states.md shows all of them.

/** An input to the delivery. */
export type DeliveryInput =
	/** A process claims it for one attempt. */
	| { readonly input: 'claim' }
	/** The breaker of its endpoint makes it wait. `random` is in [0, 1). */
	| { readonly input: 'wait'; readonly random: number }
	/** An attempt under `claim` has ended. */
	| {
			readonly input: 'attempted';
			readonly attempt: Attempt;
			readonly outcome: AttemptOutcome;
			readonly claim: Pick<Delivery, 'generation' | 'lease_until'>;
	  }
	/** It is due, but its endpoint is disabled or deleted. */
	| { readonly input: 'endpoint_disabled' | 'endpoint_deleted' }
	/** It is sent again: by a recovery, by operators, or because its endpoint was enabled. */
	| { readonly input: 'replay'; readonly at_ms: number }
	/** A retry on request: one attempt at once, even if the endpoint's breaker is open. */
	| { readonly input: 'ask' }
	/** The sweep checks it. */
	| { readonly input: 'sweep' };

/**
 * Decides the delivery after an input: the whole record, to be written under the version that was read. Null: the input has
 * no effect in this state.
 */
export function decideDelivery(delivery: Delivery, input: DeliveryInput, now_ms: number): Delivery | null {
	switch (input.input) {
		case 'attempted':
			return isStillOurs(delivery, input) ? afterAttempt(delivery, input, now_ms) : null;
		case 'replay':
			return isUnderWay(delivery, now_ms) ? null : replayed(delivery, input.at_ms, now_ms);
		case 'ask':
			return isUnderWay(delivery, now_ms) || isQueued(delivery, now_ms) ? null : askedFor(delivery, now_ms);
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

/** Decides what a due delivery does. */
function comingUp(delivery: Delivery, input: ComingUp, now_ms: number): Delivery {
	switch (input.input) {
		case 'claim':
			return claimed(delivery, now_ms);
		case 'wait':
			return postponed(delivery, input.random, now_ms);
		case 'endpoint_disabled':
			return stopped(delivery, 'held');
		case 'endpoint_deleted':
			return stopped(delivery, 'canceled');
	}
}

/** Creates the delivery of an event to an endpoint. Its id is derived from the two, so it cannot exist twice. */
export function newDelivery(event: Event, endpoint: Pick<WebhookEndpoint, 'id' | 'status'>, at_ms: number): Delivery {
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
		due_at: enabled ? checkedFrom(at_ms, at_ms) : null,
		expires_at_epoch_s: event.expires_at_epoch_s,
	};
}

/** The lease of a claimed delivery: longer than an attempt can take. No other process attempts it meanwhile. */
export const LEASE_MS = 60_000;
/** The sweep checks a delivery that a message times this long after its due time: the message may be lost. */
const OVERDUE_MS = 120_000;
/**
 * The sweep checks a delivery that it has queued again after as long as it has been due, within these bounds: its message
 * may be lost, too, or wait in a long queue, which more messages would only make longer.
 */
const QUEUED_AGAIN_MS = { least: OVERDUE_MS, most: 900_000 } as const;
/**
 * While the breaker is open, a due delivery waits as long as it has waited so far, within these bounds, and up to a fifth
 * longer. A delivery that comes while the first attempt at a recovered endpoint is under way waits once more: twice the
 * longest wait is less than 15 minutes.
 */
const WAIT_MS = { least: 60_000, most: 360_000 } as const;

const isLeased = ({ lease_until }: Delivery, now_ms: number): boolean =>
	lease_until !== null && Date.parse(lease_until) > now_ms;
/** Pending and not leased. */
const isFree = (delivery: Delivery, now_ms: number): boolean =>
	delivery.status === 'pending' && !isLeased(delivery, now_ms);
const isUnderWay = (delivery: Delivery, now_ms: number): boolean =>
	delivery.status === 'pending' && isLeased(delivery, now_ms);
/** Due without a lease: its message is on its way. */
const isQueued = (delivery: Delivery, now_ms: number): boolean =>
	isFree(delivery, now_ms) && Date.parse(delivery.next_attempt_at ?? '') <= now_ms;

/** When the sweep should check a delivery that is due at `at_ms`: a message times shorter waits. */
function checkedFrom(at_ms: number, now_ms: number): string {
	return new Date(at_ms - now_ms <= TIMED_BY_MESSAGE_MS ? at_ms + OVERDUE_MS : at_ms).toISOString();
}

/**
 * What to do with a message. A message for another generation, a leased delivery or an ended one is dropped. `exhausted`:
 * an operator replayed the pointer to an exhausted delivery.
 */
export function askedByMessage(
	delivery: Delivery,
	message: { readonly generation: number; readonly exhausted?: true | undefined },
	now_ms: number,
): 'attempt' | 'wait_on' | 'replay' | 'nothing' {
	if (delivery.generation !== message.generation) return 'nothing';
	if (message.exhausted) return delivery.status === 'failed' ? 'replay' : 'nothing';
	if (!isFree(delivery, now_ms)) return 'nothing';
	return Date.parse(delivery.next_attempt_at ?? '') > now_ms ? 'wait_on' : 'attempt';
}

/** Leases the delivery to one process. */
function claimed(delivery: Delivery, now_ms: number): Delivery {
	const { waiting_since, ...rest } = delivery;
	return { ...rest, version: delivery.version + 1, lease_until: new Date(now_ms + LEASE_MS).toISOString() };
}

/** Makes the delivery wait for the breaker, without an attempt and without counting one. */
function postponed(delivery: Delivery, random: number, now_ms: number): Delivery {
	const waiting_since = delivery.waiting_since ?? new Date(now_ms).toISOString();
	const waited_ms = Math.max(WAIT_MS.least, Math.min(now_ms - Date.parse(waiting_since), WAIT_MS.most));
	const at_ms = now_ms + Math.round(waited_ms * (1 + random / 5));
	return {
		...delivery,
		version: delivery.version + 1,
		waiting_since,
		next_attempt_at: new Date(at_ms).toISOString(),
		due_at: checkedFrom(at_ms, now_ms),
	};
}

type Attempted = Extract<DeliveryInput, { readonly input: 'attempted' }>;

/**
 * Ignore results of an older generation. If the lease has expired meanwhile, only a success still counts: the process that
 * now holds the lease will report a failure itself.
 */
function isStillOurs(delivery: Delivery, { claim, outcome }: Attempted): boolean {
	if (delivery.generation !== claim.generation || delivery.status !== 'pending') return false;
	return outcome.outcome === 'succeeded' || delivery.lease_until === claim.lease_until;
}

/** Sets its newest attempt, its state, and its next due time. */
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
			// Due at once, so that the sweep reports it to operators.
			return { ...base, status: 'failed', due_at: new Date(now_ms).toISOString() };
		case 'gone':
			return { ...base, status: 'failed' };
		case 'retry':
			return {
				...base,
				next_attempt_at: new Date(outcome.at_ms).toISOString(),
				due_at: checkedFrom(outcome.at_ms, now_ms),
			};
	}
}

/**
 * Its endpoint is disabled (`held`) or deleted (`canceled`). A delivery that had already succeeded before a person
 * requested it again is not canceled: it returns to `succeeded`.
 */
function stopped(delivery: Delivery, status: 'canceled' | 'held'): Delivery {
	const { asked_for, waiting_since, ...rest } = delivery;
	const after = status === 'canceled' && delivery.succeeded_before ? 'succeeded' : status;
	return { ...rest, version: delivery.version + 1, status: after, next_attempt_at: null, due_at: null };
}

/**
 * Starts a delivery over as a new generation, due at `at_ms`: messages of the older generation have no effect, so no
 * combination of replays sends it twice. An ended delivery goes through the schedule again; a waiting one is only sent
 * sooner.
 */
function replayed(delivery: Delivery, at_ms: number, now_ms: number): Delivery {
	const { waiting_since, ...rest } = delivery;
	return {
		...rest,
		version: delivery.version + 1,
		status: 'pending',
		generation: delivery.generation + 1,
		schedule_position: delivery.status === 'pending' ? delivery.schedule_position : 0,
		lease_until: null,
		next_attempt_at: new Date(at_ms).toISOString(),
		due_at: checkedFrom(at_ms, now_ms),
	};
}

function askedFor(delivery: Delivery, now_ms: number): Delivery {
	const before = delivery.status === 'succeeded' ? ({ succeeded_before: true } as const) : {};
	return { ...replayed(delivery, now_ms, now_ms), asked_for: true, ...before };
}

/** Whether work is due and no process holds the lease. */
function isUpForSweep(delivery: Delivery, now_ms: number): boolean {
	return delivery.due_at !== null && Date.parse(delivery.due_at) <= now_ms && !isLeased(delivery, now_ms);
}

/** The sweep has checked it: it checks a pending delivery again, and an ended one never. */
function lookedAt(delivery: Delivery, now_ms: number): Delivery {
	const late_ms = now_ms - Date.parse(delivery.next_attempt_at ?? new Date(now_ms).toISOString());
	const again_ms = Math.min(Math.max(late_ms, QUEUED_AGAIN_MS.least), QUEUED_AGAIN_MS.most);
	const due_at = delivery.status === 'pending' ? new Date(now_ms + again_ms).toISOString() : null;
	return { ...delivery, version: delivery.version + 1, due_at };
}
