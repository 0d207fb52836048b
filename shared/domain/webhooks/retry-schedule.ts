/** Seconds before each of the 14 attempts, counted from the previous one: about 72 hours in all. */
export const RETRY_SCHEDULE_SECONDS: readonly number[] = [
	0, 5, 30, 120, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 72_000, 86_400,
];

/**
 * The rate, per second, at which deliveries are replayed, so that they do not overload an endpoint that has just recovered.
 */
export const REPLAYS_PER_SECOND = 20;

/** Exponential back-off with jitter, which only ever adds: an attempt is never early. */
const MAX_JITTER = 0.2;

/**
 * When to try again, in epoch milliseconds, or null at the end of the schedule. `attempt_count`: attempts so far in this schedule
 * (at least 1). `random` is in [0, 1). The later of schedule and Retry-After counts.
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
	const with_jitter = wait * (1 + MAX_JITTER * input.random);
	return input.now_ms + Math.ceil(Math.max(with_jitter, input.retry_after_seconds ?? 0) * 1000);
}
