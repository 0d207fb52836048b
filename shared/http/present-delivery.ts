import type { Delivery } from '../domain/webhooks/delivery.ts';

/** A delivery as the wire shows it: the newest attempt in brief. */
export function presentDelivery(delivery: Delivery) {
	const { last_attempt } = delivery;
	return {
		...delivery,
		last_attempt_at: last_attempt?.started_at ?? null,
		response_status: last_attempt?.response_status ?? null,
		error: last_attempt?.error ?? null,
	};
}
