import type { AttemptOutcome } from './attempt-outcome.ts';
import type { Attempt, AttemptError, Delivery } from './delivery.ts';
import type { EndpointHealth } from './webhook-endpoint.ts';

// The health of an endpoint, as its attempts show it: the circuit breaker, which pauses attempts while the receiver is down;
// the warnings to the endpoint's owner; and the rule for disabling the endpoint.
// docs/decisions/0069-a-circuit-breaker-of-two-fields.md says why the circuit breaker is built like this.

export const HEALTHY: EndpointHealth = {
	failing_since: null,
	consecutive_failures: 0,
	consecutive_unreachable: 0,
	open_until: null,
	failing_hours: [],
	warned: [],
};

/**
 * The circuit breaker opens after this many failures in a row. A failure counts only if it means that the receiver is
 * unreachable or overloaded.
 */
export const BREAKER_FAILURES = 5;
/**
 * An open circuit breaker becomes half-open at this interval and then lets one probe pass. So there are at most 5 POSTs a
 * minute.
 */
const PROBE_INTERVAL_MS = 13_000;
const HOUR_MS = 3_600_000;
const WARN_AFTER_MS = { '24h': 24 * HOUR_MS, '72h': 72 * HOUR_MS } as const;
/**
 * The endpoint is disabled if no attempt has succeeded for `after_ms`, at least `failures` attempts have failed, and they
 * failed in at least `hours` different hours.
 */
const DISABLE = { after_ms: 5 * 24 * HOUR_MS, failures: 20, hours: 12 } as const;

const failingFor = ({ failing_since }: EndpointHealth, nowMs: number): number =>
	nowMs - Date.parse(failing_since ?? '');

/** What an attempt says about the endpoint's health. */
export type HealthSignal = 'succeeded' | 'refused' | 'unreachable' | 'gone';

/**
 * Statuses with which a gateway says that the receiver is overloaded or down (RFC 6585 section 4, RFC 9110 section 15.6).
 */
const OVERLOADED: readonly (number | null)[] = [429, 502, 503, 504];
/**
 * With these errors, the receiver counts as reachable, unless it answered with one of the statuses above. With every other
 * error, it counts as unreachable.
 */
const REFUSALS: readonly AttemptError[] = ['http_status', 'redirect_not_followed', 'invalid_response', 'internal'];

export function healthSignalOf(
	{ error, response_status }: Pick<Attempt, 'error' | 'response_status'>,
	{ outcome }: Pick<AttemptOutcome, 'outcome'>,
): HealthSignal {
	if (error === null) return 'succeeded';
	if (outcome === 'gone') return 'gone';
	return REFUSALS.includes(error) && !OVERLOADED.includes(response_status) ? 'refused' : 'unreachable';
}

/**
 * Whether a delivery that is due may be attempted now. Null if the circuit breaker is open: the delivery has to wait.
 * Otherwise returns the endpoint's health. If the returned health differs from the stored health, the circuit breaker is
 * half-open. Then the attempt is the only probe of this interval, and the caller must write the returned health first, to
 * claim the probe. A manual retry needs no probe.
 */
export function allowAttempt(
	health: EndpointHealth,
	delivery: Pick<Delivery, 'is_manual_retry'>,
	nowMs: number,
): EndpointHealth | null {
	if (health.open_until === null || delivery.is_manual_retry) return health;
	return nowMs < Date.parse(health.open_until) ? null : { ...health, open_until: iso(nowMs + PROBE_INTERVAL_MS) };
}

/** The health after another failure. If the failure shows that the receiver is up, the circuit breaker closes. */
export function healthAfterFailure(
	before: EndpointHealth,
	signal: 'refused' | 'unreachable',
	{ started_ms, now_ms }: { readonly started_ms: number; readonly now_ms: number },
): EndpointHealth {
	const unreachable = signal === 'refused' ? 0 : Math.min(before.consecutive_unreachable + 1, BREAKER_FAILURES);
	const health = {
		...before,
		failing_since: before.failing_since ?? iso(started_ms),
		consecutive_failures: Math.min(before.consecutive_failures + 1, DISABLE.failures),
		consecutive_unreachable: unreachable,
		open_until: unreachable < BREAKER_FAILURES ? null : (before.open_until ?? iso(now_ms + PROBE_INTERVAL_MS)),
		failing_hours: [...new Set([...before.failing_hours, iso(now_ms).slice(0, 13)])].slice(-DISABLE.hours),
	};
	const warnings = (['24h', '72h'] as const).filter((at) => failingFor(health, now_ms) >= WARN_AFTER_MS[at]);
	return { ...health, warned: warnings };
}

/** Whether the endpoint should be disabled (see `DISABLE`). */
export function isHopeless(health: EndpointHealth, nowMs: number): boolean {
	const { consecutive_failures, failing_hours } = health;
	return (
		failingFor(health, nowMs) >= DISABLE.after_ms &&
		consecutive_failures >= DISABLE.failures &&
		failing_hours.length >= DISABLE.hours
	);
}

const iso = (ms: number): string => new Date(ms).toISOString();
