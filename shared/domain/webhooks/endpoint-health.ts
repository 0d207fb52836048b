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
const HOUR_MS = 3_600_000;
const WARN_AFTER_MS = { '24h': 24 * HOUR_MS, '72h': 72 * HOUR_MS } as const;
/** The endpoint is disabled if nothing has succeeded for this long, over enough attempts. */
const DISABLE = { after_ms: 5 * 24 * HOUR_MS, failures: 20, hours: 12 } as const;

const iso = (ms: number): string => new Date(ms).toISOString();
const failingFor = ({ failing_since }: EndpointHealth, now_ms: number): number =>
	now_ms - Date.parse(failing_since ?? '');

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

/**
 * The health with which a due delivery may be attempted: if it is another one, writing it takes the attempt's place at an open
 * breaker. Null: it has to wait. A person's retry passes without a place.
 */
export function admit(
	health: EndpointHealth,
	delivery: Pick<Delivery, 'asked_for'>,
	now_ms: number,
): EndpointHealth | null {
	if (health.open_until === null || delivery.asked_for) return health;
	return now_ms < Date.parse(health.open_until) ? null : { ...health, open_until: iso(now_ms + PLACE_MS) };
}

/** The health after one more failure. An answer closes the breaker: something lives there. */
export function afterFailure(
	before: EndpointHealth,
	sign: 'refused' | 'unreachable',
	{ started_ms, now_ms }: { readonly started_ms: number; readonly now_ms: number },
): EndpointHealth {
	const unreachable = sign === 'refused' ? 0 : Math.min(before.consecutive_unreachable + 1, BREAKER_FAILURES);
	const health = {
		...before,
		failing_since: before.failing_since ?? iso(started_ms),
		consecutive_failures: Math.min(before.consecutive_failures + 1, DISABLE.failures),
		consecutive_unreachable: unreachable,
		open_until: unreachable < BREAKER_FAILURES ? null : (before.open_until ?? iso(now_ms + PLACE_MS)),
		failing_hours: [...new Set([...before.failing_hours, iso(now_ms).slice(0, 13)])].slice(-DISABLE.hours),
	};
	const warnings = (['24h', '72h'] as const).filter((at) => failingFor(health, now_ms) >= WARN_AFTER_MS[at]);
	return { ...health, warned: warnings };
}

/** Whether the endpoint is to be disabled: no success for 5 days, over enough attempts. */
export function isHopeless(health: EndpointHealth, now_ms: number): boolean {
	const { consecutive_failures, failing_hours } = health;
	return (
		failingFor(health, now_ms) >= DISABLE.after_ms &&
		consecutive_failures >= DISABLE.failures &&
		failing_hours.length >= DISABLE.hours
	);
}
