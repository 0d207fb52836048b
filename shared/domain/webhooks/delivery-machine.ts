import { derivedId } from '../kernel/id.ts';
import { LEASE_MS } from '../kernel/lease.ts';
import { TIMED_BY_MESSAGE_MS } from '../kernel/wake-up.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { Attempt, Delivery } from './delivery.ts';
import type { Event } from './event.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

// The delivery's state machine: pending, succeeded, failed, held, canceled. It decides every transition;
// docs/delivery-states.md shows all of them.

export type DeliveryInput =
	/** A process claims it for one attempt. */
	| { readonly input: 'claim' }
	/** The open circuit breaker of its endpoint makes it wait. `random` is in [0, 1). */
	| { readonly input: 'wait'; readonly random: number }
	| {
			readonly input: 'attempted';
			readonly attempt: Attempt;
			readonly outcome: AttemptOutcome;
			readonly claim: Pick<Delivery, 'generation' | 'lease_until'>;
	  }
	/** It is due, but its endpoint is disabled, deleted, or no longer subscribes to its event type. */
	| { readonly input: 'endpoint_disabled' | 'endpoint_deleted' | 'unsubscribed' }
	/** It is sent again: by a recovery or by operators. */
	| { readonly input: 'resend'; readonly at_ms: number }
	/** A manual retry: one attempt at once, even if the endpoint's circuit breaker is open. */
	| { readonly input: 'manual_retry' }
	| { readonly input: 'sweep' };

/** The whole record after an input, to be written under the version that was read. Null: the input has no effect. */
export function decideDelivery(delivery: Delivery, input: DeliveryInput, nowMs: number): Delivery | null {
	const after = isPossible(delivery, input, nowMs) ? fieldsAfter(delivery, input, nowMs) : null;
	return after === null ? null : { ...after, version: delivery.version + 1 };
}

/**
 * Creates the delivery of an event to an endpoint. Its id is derived from the two, so it cannot exist twice. If the endpoint
 * is disabled, the process that attempts the delivery changes it to held.
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

/** The sweep checks a delivery that a message times this long after its due time: the message may be lost. */
const OVERDUE_MS = 120_000;
/**
 * The sweep checks a delivery that it has queued again with exponential back-off: after max(2 min, min(time since it
 * was due, 15 min)). Its message may be lost, too, or wait in a long queue, which more messages would only make longer.
 */
const QUEUED_AGAIN_MS = { least: OVERDUE_MS, most: 900_000 } as const;
/**
 * Exponential back-off with jitter while the circuit breaker is open: max(1 min, min(time waited so far, 6 min)), and
 * up to a fifth longer. A delivery that comes while the probe of the half-open breaker is under way waits once more:
 * twice the longest wait is less than 15 minutes.
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
			// After the lease has expired, only a success counts: the process that has the lease now reports failures itself.
			const ours = input.outcome.outcome === 'succeeded' || delivery.lease_until === input.claim.lease_until;
			return pending && delivery.generation === input.claim.generation && ours;
		}
		case 'resend':
			return !leased;
		case 'manual_retry':
			// A delivery that is due already has its message on its way.
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
			// A delivery that had succeeded before a person retried it stays so.
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

/** When it is attempted next, and when the sweep checks it: a message times shorter waits. */
function dueAt(atMs: number, nowMs: number): Pick<Delivery, 'next_attempt_at' | 'due_at'> {
	const checkedMs = atMs - nowMs <= TIMED_BY_MESSAGE_MS ? atMs + OVERDUE_MS : atMs;
	return { next_attempt_at: iso(atMs), due_at: iso(checkedMs) };
}
const NOT_DUE = { next_attempt_at: null, due_at: null } as const;

type AttemptInput = Extract<DeliveryInput, { readonly input: 'attempted' }>;

/** Its newest attempt, its state, and its next due time. */
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
			// Due at once, so that the sweep reports it to operators.
			return { ...base, status: 'failed', next_attempt_at: null, due_at: iso(nowMs) };
		case 'gone':
			return { ...base, ...NOT_DUE, status: 'failed' };
		case 'retry':
			return { ...base, ...dueAt(outcome.at_ms, nowMs) };
	}
}

/**
 * A new generation, due at `at_ms`. Messages of the older one have no effect, so several resends together send a delivery
 * once. An ended delivery starts the schedule again; a waiting one is only sent sooner.
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
 * What to do with a message. A message for another generation, a leased delivery or an ended one is dropped. `exhausted`:
 * an operator replayed the pointer to an exhausted delivery.
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
