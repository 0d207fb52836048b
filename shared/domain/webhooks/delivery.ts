import type { EventKind } from './event.ts';

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'held', 'canceled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why an attempt did not succeed. Customers see these names, so they stay the same. */
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

/**
 * How long each phase of an attempt took, in milliseconds. Null if the attempt did not reach the phase or did not need it,
 * for example because it reused a connection.
 */
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
	/** One sentence for people: what happened, and what they can do. The sentence never contains an internal address. */
	readonly hint: string | null;
	readonly timings: PhaseTimings;
	/** The first 4 KiB of the response body, as text. */
	readonly response_body: string | null;
};

/** One event for one endpoint. The id is derived from the event and the endpoint, so that a delivery cannot exist twice. */
export type Delivery = {
	readonly id: string;
	readonly version: number;
	readonly workspace_id: string;
	readonly endpoint_id: string;
	readonly event_id: string;
	/** Together with `event`, this is the key of the event. */
	readonly subject_id: string;
	readonly event: EventKind;
	readonly status: DeliveryStatus;
	/**
	 * Grows each time the delivery is sent again (by a retry, a recovery or an operator), so that older messages have no
	 * effect.
	 */
	readonly generation: number;
	readonly attempt_count: number;
	/**
	 * How many attempts the current schedule has had. If a delivery that has ended is sent again, the schedule starts
	 * again.
	 */
	readonly schedule_position: number;
	readonly next_attempt_at: string | null;
	/** When the delivery began to wait for the circuit breaker. Absent if the delivery does not wait. */
	readonly waiting_since?: string;
	/** True if a person asked for the next attempt. This attempt is made even if the circuit breaker is open. */
	readonly is_manual_retry?: true;
	/** True if the delivery had already succeeded when a person asked to send it again. */
	readonly succeeded_before?: true;
	/** When the lease ends. Until then, no other process may attempt the delivery. */
	readonly lease_until: string | null;
	/** The newest attempt. Older attempts are separate records (see `delivery_attempt` in the store). */
	readonly last_attempt: Attempt | null;
	readonly created_at: string;
	/** When the sweep should check the delivery. Null once nothing remains to be done. */
	readonly due_at: string | null;
	readonly expires_at_epoch_s: number;
};

/**
 * All attempts of a delivery, oldest first, each only once. `older` are the records of earlier attempts. If they were read
 * after the delivery, they may also contain the delivery's `last_attempt`.
 */
export function attemptsIn(
	{ last_attempt }: Pick<Delivery, 'last_attempt'>,
	older: readonly { readonly attempt: Attempt }[],
): Attempt[] {
	const attempts = older.map(({ attempt }) => attempt);
	if (last_attempt === null) return attempts;
	return [...attempts.filter(({ number }) => number < last_attempt.number), last_attempt];
}

/** Whether a recovery has to send this delivery again. */
export const isUndelivered = ({ status }: Delivery): boolean => ['failed', 'held', 'canceled'].includes(status);
