/**
 * If work is due within this time, a delayed message starts it. If work is due later, the sweep starts it. Every queue must
 * support a delay of this length.
 */
export const TIMED_BY_MESSAGE_MS = 900_000;
/** If a message starts the work, the sweep checks the work this long after its due time, in case the message was lost. */
const GRACE_MS = 60_000;

/** When the sweep should check work that is due at `atMs`. */
export function watchedFrom(atMs: number, nowMs: number): string {
	return new Date(atMs - nowMs <= TIMED_BY_MESSAGE_MS ? atMs + GRACE_MS : atMs).toISOString();
}
