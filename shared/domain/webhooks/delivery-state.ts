import type { Delivery } from './delivery.ts';

// What the record of a delivery says about it at a time.

export const isLeased = ({ lease_until }: Delivery, now_ms: number): boolean =>
	lease_until !== null && Date.parse(lease_until) > now_ms;

/** Pending and not leased. */
export const isFree = (delivery: Delivery, now_ms: number): boolean =>
	delivery.status === 'pending' && !isLeased(delivery, now_ms);

/** Whether a recovery has to send it again. */
export function isMissed({ status }: Delivery): boolean {
	return status === 'failed' || status === 'held' || status === 'canceled';
}

export const isDue = ({ next_attempt_at }: Delivery, now_ms: number): boolean =>
	Date.parse(next_attempt_at ?? '') <= now_ms;

/** Whether it waits for a later time without a lease, so that it may be brought forward. */
export const isWaiting = (delivery: Delivery, now_ms: number): boolean =>
	isFree(delivery, now_ms) && !isDue(delivery, now_ms);

/**
 * Whether its first attempt is still to be made, no process makes it, and no person asked for it. While the breaker is open,
 * the messages of such deliveries are dropped: a failed probe, the closing of the breaker or the sweep finds them.
 */
export const isUntried = (delivery: Delivery, now_ms: number): boolean =>
	isFree(delivery, now_ms) && delivery.attempt_count === 0 && !delivery.asked_for;

/** Whether it is due without a lease, and was never attempted: its message is on its way, was lost, or was dropped. */
export const isUntriedAndDue = (delivery: Delivery, now_ms: number): boolean =>
	isUntried(delivery, now_ms) && isDue(delivery, now_ms);
