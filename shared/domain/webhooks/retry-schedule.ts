/** Seconds before each of the 14 attempts, counted from the previous attempt: about 72 hours in all. */
export const RETRY_SCHEDULE_SECONDS: readonly number[] = [
	0, 5, 30, 120, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 72_000, 86_400,
];

/**
 * How many deliveries are sent again per second. The limit keeps replays from overloading an endpoint that has just
 * recovered.
 */
export const REPLAYS_PER_SECOND = 20;

/**
 * Each wait is made longer by up to this fraction (exponential back-off with jitter). A wait is never made shorter, so no
 * attempt is early.
 */
const MAX_JITTER = 0.2;

/** If Retry-After asks for a longer wait, we wait only this long. */
const MAX_RETRY_AFTER_SECONDS = 12 * 3600;

/** The three forms of an HTTP date (RFC 9110 section 5.6.7); all of them are UTC. */
const HTTP_DATES = [
	/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
	/^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
	/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
] as const;

function httpDate(text: string): number {
	if (!HTTP_DATES.some((form) => form.test(text))) return Number.NaN;
	return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

/**
 * The seconds until the time in a Retry-After header (RFC 9110 section 10.2.3), but not more than
 * `MAX_RETRY_AFTER_SECONDS`. The header is a number of seconds or a date. Null if it is neither.
 */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | null {
	const text = header?.trim() ?? '';
	const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((httpDate(text) - nowMs) / 1000);
	return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), MAX_RETRY_AFTER_SECONDS);
}

/**
 * When to try again, in epoch milliseconds. Null if the schedule has no more attempts. `attempt_count` is how many attempts
 * this schedule has had (at least 1). `random` is in [0, 1). The wait is the longer of two waits: the wait in the schedule
 * (with jitter) and the wait that Retry-After asks for.
 */
export function nextAttemptAt(input: {
	readonly attempt_count: number;
	readonly retry_after_seconds: number | null;
	readonly now_ms: number;
	readonly random: number;
	readonly schedule_seconds: readonly number[];
}): number | null {
	const wait = input.schedule_seconds[input.attempt_count];
	if (wait === undefined) return null;
	const withJitter = wait * (1 + MAX_JITTER * input.random);
	return input.now_ms + Math.ceil(Math.max(withJitter, input.retry_after_seconds ?? 0) * 1000);
}
