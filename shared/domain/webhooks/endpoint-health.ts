import type { Attempt, AttemptError, Delivery } from './delivery.ts';

// What attempts say about an endpoint: its breaker, which pauses attempts at a receiver that is down, the warnings to its
// owner, and when it is disabled. docs/decisions/0010-one-claim-per-attempt-and-a-breaker-of-two-fields.md says why.

/** The health of an endpoint, written only if an attempt changes it. */
export type EndpointHealth = {
	/** When the first failed attempt since the last success began; null: the endpoint is healthy. */
	readonly failing_since: string | null;
	/** Failed attempts since the last success; counted up to 20. */
	readonly consecutive_failures: number;
	/** The latest failures in a row that mean unreachable or overloaded; counted up to 5. */
	readonly consecutive_unreachable: number;
	/** Null: the breaker is closed. Otherwise it is open, and the next attempt may pass at this time. */
	readonly open_until: string | null;
	/** Distinct hours (UTC, `YYYY-MM-DDTHH`) with failures since `failing_since`. */
	readonly failing_hours: readonly string[];
	readonly warned: readonly ('24h' | '72h')[];
};

export const HEALTHY: EndpointHealth = {
	failing_since: null,
	consecutive_failures: 0,
	consecutive_unreachable: 0,
	open_until: null,
	failing_hours: [],
	warned: [],
};

/** The breaker opens at this many failures in a row that mean unreachable or overloaded. */
export const BREAKER_FAILURES = 5;
/** While the breaker is open, one attempt passes in this time: at most 5 POSTs a minute. */
const PLACE_MS = 13_000;
/** Within this time of the first failure, a success is not written, so that a busy endpoint does not become a hot item. */
const UNNOTED_MS = 5000;
const HOUR_MS = 3_600_000;
const WARN_AFTER_MS = { '24h': 24 * HOUR_MS, '72h': 72 * HOUR_MS } as const;
/** The endpoint is disabled if nothing has succeeded for this long, over enough attempts. */
const DISABLE = { after_ms: 5 * 24 * HOUR_MS, failures: 20, hours: 12 } as const;

const iso = (ms: number): string => new Date(ms).toISOString();

/** The result of an attempt, as evidence of the endpoint's health. */
export type Sign = 'succeeded' | 'refused' | 'unreachable' | 'gone';

/**
 * Statuses with which a gateway answers for a receiver that is overloaded or down (RFC 6585 section 4, RFC 9110 section
 * 15.6).
 */
const OVERLOADED: readonly (number | null)[] = [429, 502, 503, 504];
/** Errors of an endpoint that answered. Every other error means that it is unreachable or overloaded. */
const REFUSALS: readonly AttemptError[] = ['http_status', 'redirect_not_followed', 'invalid_response', 'internal'];

/** Derives the evidence from an attempt. */
export function signOf({ error, response_status }: Pick<Attempt, 'error' | 'response_status'>): Sign {
	if (error === null) return 'succeeded';
	if (response_status === 410) return 'gone';
	return REFUSALS.includes(error) && !OVERLOADED.includes(response_status) ? 'refused' : 'unreachable';
}

/** Whether a due delivery may be attempted. `in_place`: only once this health is written, which takes its place. */
export type Admission =
	| { readonly admit: 'now' }
	| { readonly admit: 'wait' }
	| { readonly admit: 'in_place'; readonly health: EndpointHealth };

/** A person's retry passes an open breaker, without a place. */
export function admit(health: EndpointHealth, delivery: Pick<Delivery, 'asked_for'>, now_ms: number): Admission {
	if (health.open_until === null || delivery.asked_for) return { admit: 'now' };
	if (now_ms < Date.parse(health.open_until)) return { admit: 'wait' };
	return { admit: 'in_place', health: { ...health, open_until: iso(now_ms + PLACE_MS) } };
}

/** Any success makes an endpoint healthy and closes its breaker. Null: nothing to write. */
export function afterSuccess(health: EndpointHealth, now_ms: number): EndpointHealth | null {
	const { failing_since, consecutive_unreachable } = health;
	if (failing_since === null) return null;
	const young = now_ms - Date.parse(failing_since) < UNNOTED_MS;
	return young && consecutive_unreachable === 0 ? null : HEALTHY;
}

export type AfterFailure = {
	readonly health: EndpointHealth;
	readonly warn: '24h' | '72h' | null;
	readonly disable: boolean;
};

/** The health after one more failure; null if it does not change. An answer closes the breaker: something lives there. */
export function afterFailure(
	before: EndpointHealth,
	{
		sign,
		started_ms,
		now_ms,
	}: { readonly sign: 'refused' | 'unreachable'; readonly started_ms: number; readonly now_ms: number },
): AfterFailure | null {
	const failing_since = before.failing_since ?? iso(started_ms);
	const age_ms = now_ms - Date.parse(failing_since);
	const consecutive_failures = Math.min(before.consecutive_failures + 1, DISABLE.failures);
	const failing_hours = [...new Set([...before.failing_hours, iso(now_ms).slice(0, 13)])].slice(-DISABLE.hours);
	const warn =
		(['72h', '24h'] as const).find((at) => age_ms >= WARN_AFTER_MS[at] && !before.warned.includes(at)) ?? null;
	const warned = warn === null ? before.warned : [...before.warned, warn];
	const breaker = sign === 'unreachable' ? oneMoreUnreachable(before, now_ms) : CLOSED;
	const health = { ...before, ...breaker, failing_since, consecutive_failures, failing_hours, warned };
	const disable =
		age_ms >= DISABLE.after_ms && consecutive_failures >= DISABLE.failures && failing_hours.length >= DISABLE.hours;
	const news = disable || JSON.stringify(health) !== JSON.stringify(before);
	return news ? { health, warn, disable } : null;
}

type Breaker = Pick<EndpointHealth, 'consecutive_unreachable' | 'open_until'>;
const CLOSED: Breaker = { consecutive_unreachable: 0, open_until: null };

function oneMoreUnreachable({ consecutive_unreachable: before, open_until }: Breaker, now_ms: number): Breaker {
	const consecutive_unreachable = Math.min(before + 1, BREAKER_FAILURES);
	const opens = open_until === null && consecutive_unreachable === BREAKER_FAILURES;
	return { consecutive_unreachable, open_until: opens ? iso(now_ms + PLACE_MS) : open_until };
}

/** A person requests new attempts: closes the breaker and keeps the record of failures. Null: it was closed. */
export function closed(health: EndpointHealth): EndpointHealth | null {
	return health.open_until === null ? null : { ...health, ...CLOSED };
}
