/** A message times waits up to this long, the sweep times longer ones. Every queue must be able to delay a message for as long. */
export const TIMED_BY_MESSAGE_MS = 900_000;
/** The sweep looks after what a message times from this long after its time, in case the message was lost. */
const GRACE_MS = 60_000;

/** When the sweep should look after what is due at `at_ms`. */
export function watchedFrom(at_ms: number, now_ms: number): string {
	return new Date(at_ms - now_ms <= TIMED_BY_MESSAGE_MS ? at_ms + GRACE_MS : at_ms).toISOString();
}
