/** Tries of a request without a response before the visitor sees an error. */
export const TRIES = 4;
/**
 * The time-out of a request after `failures` failed tries, in milliseconds; after it, the request is retried. It grows up
 * to a minute, so that the response to a request that was processed still arrives on a slow network.
 */
export function timeout(failures: number): number {
	return 2 * backoff(failures + 4);
}

/**
 * A visitor who uses the page is looking at it: poll at once if the last response is older than this. A pointer movement is
 * a weaker sign than a key, a tap or a window that gets the focus.
 */
export const FRESH_MS = { moving: 20_000, acting: 1000 } as const;

/** Exponential back-off: milliseconds after `failures` (1 or more) failed tries, 1 s doubling up to 30 s. */
export function backoff(failures: number): number {
	return Math.min(30_000, 500 * 2 ** failures);
}

/** `ms` plus or minus 10 %, so that many visitors do not poll at the same moment. `random` is from 0 to 1. */
export function jitter(ms: number, random: number): number {
	return ms * (0.9 + random / 5);
}
