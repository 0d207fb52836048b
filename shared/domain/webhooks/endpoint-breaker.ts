import { lowestIdAt } from '../kernel/id.ts';
import type { Delivery } from './delivery.ts';
import type { Booking, EndpointHealth, Lane, Probing } from './webhook-endpoint.ts';
import { HEALTHY } from './webhook-endpoint.ts';

// The breaker of an endpoint: whether it is open, and which delivery may be sent when. Each function returns the health to
// write.

/** The breaker may open after this many consecutive failures. */
export const BREAKER_FAILURES = 5;
/**
 * The maximum duration of an attempt. A success may be on its way until then, so the endpoint does not count as unreachable
 * earlier.
 */
const ANSWER_MS = 15_000;
/** Refusals open the breaker if nothing at all has succeeded for this long: by then each first event has had 3 attempts. */
const REFUSED_MS = 60_000;
/** The interval between probes of an open breaker: at most 5 POSTs a minute. */
const SLOT_MS = 13_000;
/** A slot expires if its delivery has not reported by then: a lease, plus the time to start. */
const BOOKING_MS = 75_000;
/** If no other delivery takes a slot for this long, the same delivery may have it again, because nothing else waits. */
const UNTAKEN_MS = 30_000;
/**
 * A failed probe looks for the next ones among the deliveries since this long before the breaker opened. Most older ones have
 * been attempted; one that has not gets a slot if its lane is free, and is sent when the breaker closes.
 */
const PROBED_MS = 15_000;
/** Deliveries that were created this long before the breaker opened may still have no attempt. */
export const UNDER_WAY_MS = 300_000;
/**
 * Within this time of the first refusal, a success among refusals is not written, so that a busy endpoint does not become a
 * hot item.
 */
const UNNOTED_MS = 5000;

const HOUR_MS = 3_600_000;
const WARN_AFTER_MS = { '24h': 24 * HOUR_MS, '72h': 72 * HOUR_MS } as const;
/** The endpoint is disabled if nothing has succeeded for this long, over enough attempts. */
const DISABLE = { after_ms: 5 * 24 * HOUR_MS, failures: 20, hours: 12 } as const;

const iso = (ms: number): string => new Date(ms).toISOString();
/** What the breaker knows of a delivery. */
type Candidate = Pick<Delivery, 'id' | 'event' | 'attempt_count' | 'asked_for'>;
export const laneOf = ({ event, attempt_count }: Candidate): Lane => (attempt_count === 0 ? event : 'again');

/** Whether the latest attempts succeeded and the breaker is closed: a success changes nothing. */
export const isHealthy = ({ failing_since, held_until }: EndpointHealth): boolean =>
	failing_since === null && held_until === null;

export type Admission =
	| { readonly admit: 'now' }
	/** It may be sent as a probe, once this health is written. */
	| { readonly admit: 'probe'; readonly health: EndpointHealth }
	/** It has a slot, once this health is written. */
	| { readonly admit: 'booked'; readonly at_ms: number; readonly health: EndpointHealth }
	/** Another delivery of its lane has a slot, or it was itself the newest probe. */
	| { readonly admit: 'wait' };

/**
 * Whether a due delivery may be sent. While the breaker is open, there is a slot every 13 s. Each lane has at most one
 * slot, so that deliveries of one event type do not delay other types, and retries do not delay first attempts.
 */
export function admit(health: EndpointHealth, delivery: Candidate, now_ms: number): Admission {
	if (health.held_until === null || delivery.asked_for) return { admit: 'now' };
	const probing = health.probing ?? opened(now_ms);
	const booked = probing.booked.filter(({ at }) => Date.parse(at) + BOOKING_MS > now_ms);
	if (booked.some(({ delivery_id }) => delivery_id === delivery.id)) return { admit: 'now' };
	const lane = laneOf(delivery);
	if (booked.some((other) => other.lane === lane)) return { admit: 'wait' };
	const free_ms = Date.parse(health.held_until);
	if (probing.last === delivery.id && now_ms < free_ms + UNTAKEN_MS) return { admit: 'wait' };
	const at_ms = Math.max(free_ms, now_ms);
	const booking: Booking = { delivery_id: delivery.id, lane, at: iso(at_ms) };
	const taken = { ...health, held_until: iso(at_ms + SLOT_MS), probing: { ...probing, booked: [...booked, booking] } };
	return at_ms <= now_ms ? { admit: 'probe', health: taken } : { admit: 'booked', at_ms, health: taken };
}

function opened(now_ms: number): Probing {
	return { opened_at: iso(now_ms), booked: [], last: null, from_id: lowestIdAt(now_ms - PROBED_MS) };
}

export type Slot = { readonly delivery: Delivery; readonly at_ms: number };

/** Books slots for waiting deliveries, oldest first: one in every free lane. */
export function bookWaiting(
	health: EndpointHealth,
	waiting: readonly Delivery[],
	now_ms: number,
): { readonly health: EndpointHealth; readonly slots: readonly Slot[] } {
	let after = health;
	const slots: Slot[] = [];
	for (const delivery of waiting) {
		const admission = admit(after, delivery, now_ms);
		if (admission.admit !== 'probe' && admission.admit !== 'booked') continue;
		after = admission.health;
		slots.push({ delivery, at_ms: admission.admit === 'booked' ? admission.at_ms : now_ms });
	}
	return { health: after, slots };
}

/** A failed attempt. */
export type Failed = {
	/** `unreachable`: the endpoint is down or overloaded; `refused`: it answered, but without success. */
	readonly sign: 'refused' | 'unreachable';
	readonly delivery: Pick<Delivery, 'id' | 'asked_for'>;
	readonly started_ms: number;
	readonly now_ms: number;
};
/** Any success makes an endpoint healthy and closes its breaker. Null: nothing to write. */
export function afterSuccess(health: EndpointHealth, now_ms: number): EndpointHealth | null {
	const { failing_since, held_until, unreached } = health;
	if (isHealthy(health)) return null;
	const young = failing_since !== null && now_ms - Date.parse(failing_since) < UNNOTED_MS;
	if (held_until === null && !unreached && young) return null;
	return { ...HEALTHY, trusted_since: iso(now_ms) };
}

export type AfterFailure = {
	readonly health: EndpointHealth;
	readonly breaker: 'as_it_was' | 'opened' | 'probed';
	readonly warn: '24h' | '72h' | null;
	readonly disable: boolean;
};

/** The health after one more failure; null if it does not change. */
export function afterFailure(before: EndpointHealth, told: Failed): AfterFailure | null {
	const { probing, held_until } = before;
	const booked = probing?.booked.some(({ delivery_id }) => delivery_id === told.delivery.id) ?? false;
	// The attempt began before the breaker opened.
	if (held_until !== null && !booked && !told.delivery.asked_for) return null;
	const { health, warn, disable } = counted(before, told);
	if (held_until !== null) {
		const rest = (probing ?? opened(told.now_ms)).booked.filter(({ delivery_id }) => delivery_id !== told.delivery.id);
		const after = { ...(probing ?? opened(told.now_ms)), booked: rest, last: told.delivery.id };
		return { health: { ...health, probing: after }, breaker: 'probed', warn, disable };
	}
	if (saysDead(health, told.now_ms)) {
		const open = { held_until: iso(told.now_ms + SLOT_MS), probing: opened(told.now_ms) };
		return { health: { ...health, ...open }, breaker: 'opened', warn, disable };
	}
	// A warning is noted in the health.
	const news = disable || JSON.stringify(health) !== JSON.stringify(before);
	return news ? { health, breaker: 'as_it_was', warn, disable } : null;
}

function counted(before: EndpointHealth, { sign, started_ms, now_ms }: Failed) {
	const failing_since = before.failing_since ?? iso(started_ms);
	const consecutive_failures = Math.min(before.consecutive_failures + 1, DISABLE.failures);
	const unreached = sign === 'unreachable' ? Math.min((before.unreached ?? 0) + 1, BREAKER_FAILURES) : 0;
	const failing_hours = [...new Set([...before.failing_hours, iso(now_ms).slice(0, 13)])].slice(-DISABLE.hours);
	const age_ms = now_ms - Date.parse(failing_since);
	const warn =
		(['72h', '24h'] as const).find((at) => age_ms >= WARN_AFTER_MS[at] && !before.warned.includes(at)) ?? null;
	const disable =
		age_ms >= DISABLE.after_ms && consecutive_failures >= DISABLE.failures && failing_hours.length >= DISABLE.hours;
	const warned = warn === null ? before.warned : [...before.warned, warn];
	const health = { ...before, failing_since, consecutive_failures, unreached, failing_hours, warned };
	return { health, warn, disable };
}

/** Whether the failures show that the endpoint is down, and not that it refuses some events. */
function saysDead(health: EndpointHealth, now_ms: number): boolean {
	const trusted_ms = Date.parse(health.trusted_since ?? '1970-01-01');
	if ((health.unreached ?? 0) >= BREAKER_FAILURES && now_ms - trusted_ms >= ANSWER_MS) return true;
	const failing_ms = Math.max(Date.parse(health.failing_since ?? ''), trusted_ms);
	return health.consecutive_failures >= BREAKER_FAILURES && now_ms - failing_ms >= REFUSED_MS;
}

/** A person requests new attempts: closes the breaker and keeps the record of failures. Null: it was closed. */
export function closed(health: EndpointHealth, now_ms: number): EndpointHealth | null {
	if (health.held_until === null) return null;
	const { probing, ...rest } = health;
	return { ...rest, held_until: null, unreached: 0, trusted_since: iso(now_ms) };
}
