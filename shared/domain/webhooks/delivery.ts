import type { EventKind } from './event.ts';

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'held', 'canceled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why an attempt did not succeed. Stable: shown to customers. */
export const attemptErrors = [
	'dns_not_found',
	'dns_failed',
	'target_blocked',
	'connect_refused',
	'connect_timeout',
	'tls_failed',
	'timeout',
	'connection_reset',
	'http_status',
	'redirect_not_followed',
	'invalid_response',
	'internal',
] as const;
export type AttemptError = (typeof attemptErrors)[number];

/** The duration of each phase of an attempt, in milliseconds; null if it was not reached (or the connection was reused). */
export type PhaseTimings = {
	readonly dns_ms: number | null;
	readonly connect_ms: number | null;
	readonly tls_ms: number | null;
	readonly first_byte_ms: number | null;
	readonly total_ms: number;
};

export type Attempt = {
	readonly number: number;
	readonly started_at: string;
	readonly response_status: number | null;
	readonly error: AttemptError | null;
	/** One sentence for people: what happened and what to do; never an internal address. */
	readonly hint: string | null;
	readonly timings: PhaseTimings;
	/** The first 4 KiB of the response body, as text. */
	readonly response_body: string | null;
};

/** One event for one endpoint. Its id is derived from both, so it cannot exist twice. */
export type Delivery = {
	readonly id: string;
	readonly version: number;
	readonly workspace_id: string;
	readonly endpoint_id: string;
	readonly event_id: string;
	/** With `event`, the key of the event. */
	readonly subject_id: string;
	readonly event: EventKind;
	readonly status: DeliveryStatus;
	/** Increases with every replay (retry, recover, an operator's), so that older messages have no effect. */
	readonly generation: number;
	readonly attempt_count: number;
	/** Attempts in this generation: the position in the schedule. */
	readonly schedule_position: number;
	readonly next_attempt_at: string | null;
	/** When it began to wait for the circuit breaker; absent: it does not wait. */
	readonly waiting_since?: string;
	/** A person requested the next attempt, so it is made even if the circuit breaker is open. */
	readonly is_manual_retry?: true;
	/** It had already succeeded when a person requested another delivery. */
	readonly succeeded_before?: true;
	/** The lease: until then no other process may attempt it. */
	readonly lease_until: string | null;
	/** The newest attempt; older ones are separate records (see `delivery_attempt` in the store). */
	readonly last_attempt: Attempt | null;
	readonly created_at: string;
	/** When the sweep should check it; null once nothing is due any more. */
	readonly due_at: string | null;
	readonly expires_at_epoch_s: number;
};

/**
 * All attempts of a delivery, oldest first, each once. `older`: the records of earlier attempts. They may have been read
 * later than the delivery, so one of them can be the attempt that was the newest then.
 */
export function attemptsIn(
	{ last_attempt }: Pick<Delivery, 'last_attempt'>,
	older: readonly { readonly attempt: Attempt }[],
): Attempt[] {
	const attempts = older.map(({ attempt }) => attempt);
	if (last_attempt === null) return attempts;
	return [...attempts.filter(({ number }) => number < last_attempt.number), last_attempt];
}

/** Whether a recovery has to send it again. */
export const isUndelivered = ({ status }: Delivery): boolean => ['failed', 'held', 'canceled'].includes(status);
