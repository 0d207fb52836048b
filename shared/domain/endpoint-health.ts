import { type EndpointHealth, HEALTHY } from './webhook-endpoint.ts';

/** So many failures in a row trip the breaker. */
export const BREAKER_FAILURES = 5;
/** How long it holds, by how often it has tripped; the last one repeats. */
const HOLD_SECONDS = [30, 60, 120, 300, 900] as const;
/** A probe that never reports lets the next one go after this. */
const PROBE_SECONDS = 30;

const HOUR_MS = 3_600_000;
const WARN_AFTER_MS = { '24h': 24 * HOUR_MS, '72h': 72 * HOUR_MS } as const;
/** Switched off when nothing has succeeded for so long, and it is no accident of a few attempts. */
const DISABLE = { after_ms: 5 * 24 * HOUR_MS, failures: 20, hours: 12 } as const;

export type HealthAfter = {
	readonly health: EndpointHealth;
	/** Its owner should hear of it. */
	readonly warn: '24h' | '72h' | null;
	readonly disable: boolean;
};

/** An endpoint's health after a success: any success resets it. Null: it was well before, and nothing is to be written. */
export function afterSuccess(health: EndpointHealth): EndpointHealth | null {
	return health.failing_since === null ? null : HEALTHY;
}

/** An endpoint's health after one more failure. */
export function afterFailure(health: EndpointHealth, now_ms: number): HealthAfter {
	const now = new Date(now_ms).toISOString();
	const failing_since = health.failing_since ?? now;
	const consecutive_failures = health.consecutive_failures + 1;
	const failing_hours = [...new Set([...health.failing_hours, now.slice(0, 13)])].slice(-DISABLE.hours);
	const age_ms = now_ms - Date.parse(failing_since);
	const warn =
		(['72h', '24h'] as const).find((at) => age_ms >= WARN_AFTER_MS[at] && !health.warned.includes(at)) ?? null;
	const disable =
		age_ms >= DISABLE.after_ms && consecutive_failures >= DISABLE.failures && failing_hours.length >= DISABLE.hours;
	const warned = warn === null ? health.warned : [...health.warned, warn];
	const held_until = holdUntil(consecutive_failures, now_ms);
	return { health: { failing_since, consecutive_failures, held_until, failing_hours, warned }, warn, disable };
}

function holdUntil(failures: number, now_ms: number): string | null {
	if (failures < BREAKER_FAILURES) return null;
	const seconds = HOLD_SECONDS[Math.min(failures - BREAKER_FAILURES, HOLD_SECONDS.length - 1)] ?? 0;
	return new Date(now_ms + seconds * 1000).toISOString();
}

export type Breaker =
	| { readonly breaker: 'closed' }
	/** Nothing is sent until then. */
	| { readonly breaker: 'open'; readonly until_ms: number }
	/** One attempt may go: whoever writes this health first. */
	| { readonly breaker: 'probe'; readonly health: EndpointHealth };

/** Whether an attempt may go to the endpoint now. */
export function breakerOf(health: EndpointHealth, now_ms: number): Breaker {
	if (health.held_until === null) return { breaker: 'closed' };
	const until_ms = Date.parse(health.held_until);
	if (until_ms > now_ms) return { breaker: 'open', until_ms };
	const held_until = new Date(now_ms + PROBE_SECONDS * 1000).toISOString();
	return { breaker: 'probe', health: { ...health, held_until } };
}
