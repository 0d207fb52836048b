/** How many times a request is tried without a response, before the visitor sees an error. */
export const TRIES = 4;
/**
 * The time-out of a request after `failures` failed tries, in milliseconds. When this time is over, the request is retried. The
 * time-out grows up to a minute, so that even on a slow network, a response arrives before the time-out in the end.
 */
export function timeout(failures: number): number {
	return 2 * backoff(failures + 4);
}

/**
 * If the visitor uses the page and the last response is older than this, the page polls at once. A moving pointer has a longer
 * limit, because it is a weaker sign of attention than a key, a tap or a focus on the window.
 */
export const FRESH_MS = { moving: 20_000, acting: 1000 } as const;

/**
 * Exponential back-off: how many milliseconds to wait after `failures` (1 or more) failed tries. It begins with 1 s and
 * doubles up to 30 s.
 */
export function backoff(failures: number): number {
	return Math.min(30_000, 500 * 2 ** failures);
}

/** `ms` plus or minus 10 %, so that many visitors do not poll at the same moment. `random` is from 0 to 1. */
export function jitter(ms: number, random: number): number {
	return ms * (0.9 + random / 5);
}
