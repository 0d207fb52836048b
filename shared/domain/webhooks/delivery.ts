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

/** How long each phase of an attempt took, in milliseconds; null when it was not reached (or the connection was reused). */
export type PhaseTimings = {
	readonly dns_ms: number | null;
	readonly connect_ms: number | null;
	readonly tls_ms: number | null;
	readonly first_byte_ms: number | null;
	readonly total_ms: number;
};

/** One POST and what came of it. */
export type Attempt = {
	readonly number: number;
	readonly started_at: string;
	readonly response_status: number | null;
	readonly error: AttemptError | null;
	/** One sentence for a person: what happened and what to do; never an internal address. */
	readonly hint: string | null;
	readonly timings: PhaseTimings;
	/** The first 4 KiB of the response body, as text. */
	readonly response_body: string | null;
};

/** One event for one endpoint. Its id is derived from the two, so it cannot exist twice. */
export type Delivery = {
	readonly id: string;
	readonly version: number;
	readonly workspace_id: string;
	readonly endpoint_id: string;
	readonly event_id: string;
	/** With `event`, the key of the event. */
	readonly subject_id: string;
	readonly event: EventKind;
	readonly sequence: number;
	readonly status: DeliveryStatus;
	/** Raised by every replay (retry, recover, redrive); an older message then finds nothing to do. */
	readonly generation: number;
	readonly attempt_count: number;
	/** Attempts of this generation so far: the position in the schedule. */
	readonly schedule_position: number;
	readonly next_attempt_at: string | null;
	/** Since when the breaker of its endpoint keeps it waiting; absent: it does not. */
	readonly waiting_since?: string;
	/** The next attempt was requested by a person: it is made even if the breaker is open. */
	readonly asked_for?: true;
	/** It had succeeded when a person asked for another delivery. */
	readonly succeeded_before?: true;
	/** A claim on it: until then no other process may attempt it. */
	readonly lease_until: string | null;
	/** The newest attempt; older ones are kept beside it (see `delivery_attempt` in the store). */
	readonly last_attempt: Attempt | null;
	readonly created_at: string;
	/** When the sweep should look at it; null once nothing is due any more. */
	readonly due_at: string | null;
	readonly expires_at_epoch_s: number;
};
