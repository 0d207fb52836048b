/** A delayed message times waits up to this length; the sweep times longer ones. Every queue must support this delay. */
export const TIMED_BY_MESSAGE_MS = 900_000;
/** The sweep checks work that a message times this long after its due time, in case the message was lost. */
const GRACE_MS = 60_000;

/** When the sweep should check work that is due at `atMs`. */
export function watchedFrom(atMs: number, nowMs: number): string {
	return new Date(atMs - nowMs <= TIMED_BY_MESSAGE_MS ? atMs + GRACE_MS : atMs).toISOString();
}
