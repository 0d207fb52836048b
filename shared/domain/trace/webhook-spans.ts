import { attemptSpanId, spanIdOf } from '../kernel/trace-context.ts';
import type { Attempt, Delivery } from '../webhooks/delivery.ts';
import type { Event } from '../webhooks/event.ts';
import { inOrder, type Span } from './span.ts';

/** A delivery with all of its attempts that are still stored, oldest first. */
export type TracedDelivery = { readonly delivery: Delivery; readonly attempts: readonly Attempt[] };
export type TracedEvent = { readonly event: Event; readonly deliveries: readonly TracedDelivery[] };

/** The span of an event, from its commit to the end of its last delivery. */
export function eventSpan({ event, deliveries }: TracedEvent): Span {
	const children = inOrder(deliveries.map(deliverySpan));
	return {
		id: spanIdOf(event.id),
		name: event.kind,
		kind: 'internal',
		started_at: event.created_at,
		ended_at: lastEnd([event.created_at, ...children.map(({ ended_at }) => ended_at)]),
		failure: null,
		attributes: { 'event.id': event.id, 'event.sequence': event.sequence },
		events: [],
		children,
	};
}

function deliverySpan({ delivery, attempts }: TracedDelivery): Span {
	const { id, created_at, endpoint_id, status, attempt_count, next_attempt_at } = delivery;
	const endedAt = attempts.at(-1) === undefined ? created_at : lastEnd(attempts.map(endOf));
	return {
		id: spanIdOf(id),
		name: 'delivery',
		kind: 'internal',
		started_at: created_at,
		ended_at: status === 'pending' ? null : endedAt,
		failure: ['failed', 'held', 'canceled'].includes(status) ? status : null,
		attributes: {
			'delivery.id': id,
			'delivery.endpoint_id': endpoint_id,
			'delivery.status': status,
			'delivery.attempts': attempt_count,
			...(next_attempt_at !== null && { 'delivery.next_attempt_at': next_attempt_at }),
		},
		events: [],
		children: attempts.map((attempt, index) => attemptSpan(id, attempt, attempts[index - 1] ?? null, created_at)),
	};
}

/**
 * The span of an attempt. `attempt.waited_ms` is the time since the end of the previous attempt. For the first attempt,
 * `attempt.waited_ms` is the time since the delivery was created.
 */
function attemptSpan(deliveryId: string, attempt: Attempt, before: Attempt | null, createdAt: string): Span {
	const { number, started_at, response_status, error, timings } = attempt;
	const since = before === null ? createdAt : endOf(before);
	return {
		id: attemptSpanId(deliveryId, number),
		name: `attempt ${number}`,
		kind: 'client',
		started_at,
		ended_at: endOf(attempt),
		failure: error,
		attributes: {
			'attempt.number': number,
			'attempt.waited_ms': Math.max(0, Date.parse(started_at) - Date.parse(since)),
			...(response_status !== null && { 'http.response.status_code': response_status }),
			...(error !== null && { 'error.type': error }),
			...phases(timings),
		},
		events: [],
		children: [],
	};
}

function phases({ dns_ms, connect_ms, tls_ms, first_byte_ms }: Attempt['timings']) {
	const entries = Object.entries({ dns_ms, connect_ms, tls_ms, first_byte_ms });
	return Object.fromEntries(entries.flatMap(([name, ms]) => (ms === null ? [] : [[`attempt.${name}`, ms]])));
}

const endOf = ({ started_at, timings }: Attempt): string =>
	new Date(Date.parse(started_at) + Math.round(timings.total_ms)).toISOString();

/** The latest of these times. Null if one of these times is null, because one part has not ended yet. */
const lastEnd = (ends: readonly (string | null)[]): string | null =>
	ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null);
