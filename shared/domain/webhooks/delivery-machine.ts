import { derivedId } from '../kernel/id.ts';
import { LEASE_MS } from '../kernel/lease.ts';
import { TIMED_BY_MESSAGE_MS } from '../kernel/wake-up.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { Attempt, Delivery } from './delivery.ts';
import type { Event } from './event.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

// The states of a delivery: pending, succeeded, failed, held, canceled. This file decides every change from one state to
// another. docs/delivery-states.md shows all of these changes.

export type DeliveryInput =
	/** A process claims the delivery for one attempt. */
	| { readonly input: 'claim' }
	/** The delivery waits because the circuit breaker of its endpoint is open. `random` is in [0, 1). */
	| { readonly input: 'wait'; readonly random: number }
	| {
			readonly input: 'attempted';
			readonly attempt: Attempt;
			readonly outcome: AttemptOutcome;
			readonly claim: Pick<Delivery, 'generation' | 'lease_until'>;
	  }
	/**
	 * The delivery is due, but its endpoint is disabled, was deleted, or no longer subscribes to the delivery's event type.
	 */
	| { readonly input: 'endpoint_disabled' | 'endpoint_deleted' | 'unsubscribed' }
	/** The delivery is sent again, by a recovery or by operators. */
	| { readonly input: 'resend'; readonly at_ms: number }
	/** A manual retry: one attempt at once, even if the endpoint's circuit breaker is open. */
	| { readonly input: 'manual_retry' }
	| { readonly input: 'sweep' };

/**
 * The whole record after an input. Write it only if the stored version is still the version that was read. Null if the
 * input has no effect.
 */
export function decideDelivery(delivery: Delivery, input: DeliveryInput, nowMs: number): Delivery | null {
	const after = isPossible(delivery, input, nowMs) ? fieldsAfter(delivery, input, nowMs) : null;
	return after === null ? null : { ...after, version: delivery.version + 1 };
}

/**
 * Creates the delivery of an event to an endpoint. The delivery's id is derived from the event and the endpoint, so that
 * the delivery cannot exist twice. The delivery is pending even if the endpoint is disabled: the process that attempts the
 * delivery then changes its status to held.
 */
export function newDelivery(
	event: Omit<Event, 'sequence' | 'body'>,
	endpoint: Pick<WebhookEndpoint, 'id'>,
	atMs: number,
): Delivery {
	return {
		id: derivedId(Date.parse(event.created_at), event.id, endpoint.id),
		version: 1,
		workspace_id: event.workspace_id,
		endpoint_id: endpoint.id,
		event_id: event.id,
		subject_id: event.subject_id,
		event: event.kind,
		status: 'pending',
		generation: 1,
		attempt_count: 0,
		schedule_position: 0,
		lease_until: null,
		last_attempt: null,
		created_at: event.created_at,
		...dueAt(atMs, atMs),
		expires_at_epoch_s: event.expires_at_epoch_s,
	};
}

/** The sweep checks a delivery this long after its due time, in case the message that should start the attempt was lost. */
const OVERDUE_MS = 120_000;
/**
 * After the sweep has queued a delivery again, it checks the delivery once more after max(2 min, min(time since the
 * delivery was due, 15 min)), an exponential back-off. The sweep checks again because the new message may be lost, too. The
 * sweep waits because the new message may be in a long queue, which more messages would only make longer.
 */
const QUEUED_AGAIN_MS = { least: OVERDUE_MS, most: 900_000 } as const;
/**
 * How long a delivery waits while the circuit breaker is open: max(1 min, min(time waited so far, 6 min)), and up to a fifth
 * longer. This is an exponential back-off with jitter. If a delivery becomes due while the probe of the half-open circuit
 * breaker is under way, the delivery has to wait a second time. Even two of the longest waits take less than 15 minutes, the
 * time within which we promise to attempt every due delivery after the receiver has come back.
 */
const WAIT_MS = { least: 60_000, most: 360_000 } as const;

const iso = (ms: number): string => new Date(ms).toISOString();
const within = (ms: number, { least, most }: { readonly least: number; readonly most: number }): number =>
	Math.max(least, Math.min(ms, most));

const isLeased = ({ lease_until }: Delivery, nowMs: number): boolean =>
	lease_until !== null && Date.parse(lease_until) > nowMs;
const isDue = ({ next_attempt_at }: Delivery, nowMs: number): boolean =>
	next_attempt_at !== null && Date.parse(next_attempt_at) <= nowMs;

function isPossible(delivery: Delivery, input: DeliveryInput, nowMs: number): boolean {
	const pending = delivery.status === 'pending';
	const leased = pending && isLeased(delivery, nowMs);
	switch (input.input) {
		case 'attempted': {
			// This attempt's lease may have expired, and another process may have claimed the delivery since. Then only a
			// success of this attempt counts, because the other process reports failures itself.
			const ours = input.outcome.outcome === 'succeeded' || delivery.lease_until === input.claim.lease_until;
			return pending && delivery.generation === input.claim.generation && ours;
		}
		case 'resend':
			return !leased;
		case 'manual_retry':
			// If a delivery is due, its message is already under way.
			return !leased && !isDue(delivery, nowMs);
		case 'sweep':
			return delivery.due_at !== null && Date.parse(delivery.due_at) <= nowMs && !isLeased(delivery, nowMs);
		case 'claim':
		case 'wait':
		case 'endpoint_disabled':
		case 'endpoint_deleted':
		case 'unsubscribed':
			return pending && !leased;
	}
}

function fieldsAfter(delivery: Delivery, input: DeliveryInput, nowMs: number): Delivery {
	const { waiting_since, ...not_waiting } = delivery;
	const { is_manual_retry: _manual, ...rest } = not_waiting;
	switch (input.input) {
		case 'claim':
			return { ...not_waiting, lease_until: iso(nowMs + LEASE_MS) };
		case 'wait': {
			const since = waiting_since ?? iso(nowMs);
			const waitMs = within(nowMs - Date.parse(since), WAIT_MS) * (1 + input.random / 5);
			return { ...delivery, waiting_since: since, ...dueAt(nowMs + Math.round(waitMs), nowMs) };
		}
		case 'attempted':
			return { ...rest, ...afterAttempt(delivery, input, nowMs) };
		case 'endpoint_disabled':
			return { ...rest, ...NOT_DUE, status: 'held' };
		case 'endpoint_deleted':
		case 'unsubscribed':
			// If the delivery had succeeded before a person retried it, its status becomes `succeeded` again.
			return { ...rest, ...NOT_DUE, status: delivery.succeeded_before ? 'succeeded' : 'canceled' };
		case 'resend':
			return { ...rest, ...startedOver(delivery, input.at_ms, nowMs) };
		case 'manual_retry': {
			const before = delivery.status === 'succeeded' ? ({ succeeded_before: true } as const) : {};
			return { ...rest, ...startedOver(delivery, nowMs, nowMs), is_manual_retry: true, ...before };
		}
		case 'sweep': {
			const lateMs = nowMs - Date.parse(delivery.next_attempt_at ?? iso(nowMs));
			const again = iso(nowMs + within(lateMs, QUEUED_AGAIN_MS));
			return { ...delivery, due_at: delivery.status === 'pending' ? again : null };
		}
	}
}

/**
 * When the delivery is attempted next, and when the sweep checks it. After a short wait, a message starts the attempt.
 * After a long wait, the sweep starts it.
 */
function dueAt(atMs: number, nowMs: number): Pick<Delivery, 'next_attempt_at' | 'due_at'> {
	const checkedMs = atMs - nowMs <= TIMED_BY_MESSAGE_MS ? atMs + OVERDUE_MS : atMs;
	return { next_attempt_at: iso(atMs), due_at: iso(checkedMs) };
}
const NOT_DUE = { next_attempt_at: null, due_at: null } as const;

type AttemptInput = Extract<DeliveryInput, { readonly input: 'attempted' }>;

/** The delivery's fields after an attempt: its newest attempt, its status, and when it is due next. */
function afterAttempt(delivery: Delivery, { attempt, outcome }: AttemptInput, nowMs: number): Partial<Delivery> {
	const number = Math.max(attempt.number, delivery.attempt_count + 1);
	const base = {
		attempt_count: number,
		schedule_position: delivery.schedule_position + 1,
		lease_until: null,
		last_attempt: { ...attempt, number },
	};
	switch (outcome.outcome) {
		case 'succeeded':
			return { ...base, ...NOT_DUE, status: 'succeeded' };
		case 'exhausted':
			// The delivery is due for the sweep at once, because the sweep reports exhausted deliveries to operators.
			return { ...base, status: 'failed', next_attempt_at: null, due_at: iso(nowMs) };
		case 'gone':
			return { ...base, ...NOT_DUE, status: 'failed' };
		case 'retry':
			return { ...base, ...dueAt(outcome.at_ms, nowMs) };
	}
}

/**
 * A new generation of the delivery, due at `at_ms`. Messages of older generations have no effect, so several resends
 * together still send the delivery only once. A delivery that had ended starts its schedule again. A delivery that was
 * waiting is only sent sooner.
 */
function startedOver(delivery: Delivery, atMs: number, nowMs: number): Partial<Delivery> {
	return {
		status: 'pending',
		generation: delivery.generation + 1,
		schedule_position: delivery.status === 'pending' ? delivery.schedule_position : 0,
		lease_until: null,
		...dueAt(atMs, nowMs),
	};
}

/**
 * What to do with a message. The message is dropped if it is for another generation, or if the delivery is leased or has
 * ended. `message.exhausted` is set if an operator has replayed the dead letter of an exhausted delivery.
 */
export function taskOf(
	delivery: Delivery,
	message: { readonly generation: number; readonly exhausted?: true | undefined },
	nowMs: number,
): 'attempt' | 'keep_waiting' | 'replay' | 'nothing' {
	if (delivery.generation !== message.generation) return 'nothing';
	if (message.exhausted) return delivery.status === 'failed' ? 'replay' : 'nothing';
	if (!isPossible(delivery, { input: 'claim' }, nowMs)) return 'nothing';
	return isDue(delivery, nowMs) ? 'attempt' : 'keep_waiting';
}
