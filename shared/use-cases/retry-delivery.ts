import { watchedFrom } from '../domain/attempt-outcome.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Clock } from '../ports/clock.ts';
import type { Queues } from '../ports/queues.ts';
import type { Store, Write } from '../ports/store.ts';
import { deliveryMessage } from './publish-event.ts';

type Deps = { readonly store: Store; readonly queues: Queues; readonly clock: Clock };
export type RetryDeliveryOutcome =
	| { readonly delivery: Delivery }
	| { readonly refused: 'not_found' | 'delivery_in_progress' | 'idempotency_conflict' };

/** In flight: an attempt holds it, or one is due at any moment. */
function isInFlight(delivery: Delivery, now: number): boolean {
	if (delivery.status !== 'pending') return false;
	const leased = delivery.lease_until !== null && Date.parse(delivery.lease_until) > now;
	return leased || Date.parse(delivery.next_attempt_at ?? '') <= now;
}

/**
 * A delivery that starts over as a new generation, due at `at_ms`: messages of the older one find nothing to do, so no
 * combination of replays doubles it. One that ended goes through the schedule again; a waiting one only comes sooner.
 */
export function replayed(delivery: Delivery, at_ms: number, now: number): Delivery {
	return {
		...delivery,
		version: delivery.version + 1,
		status: 'pending',
		generation: delivery.generation + 1,
		schedule_position: delivery.status === 'pending' ? delivery.schedule_position : 0,
		lease_until: null,
		next_attempt_at: new Date(at_ms).toISOString(),
		due_at: watchedFrom(at_ms, now),
	};
}

/** Delivers again now, on demand: same event id, new signature. Refused while an attempt is in flight. */
export async function retryDelivery(
	input: { readonly workspace_id: string; readonly id: string },
	alongside: (delivery: Delivery) => readonly Write[],
	{ store, queues, clock }: Deps,
): Promise<RetryDeliveryOutcome> {
	for (;;) {
		const delivery = await store.get('delivery', { id: input.id });
		if (delivery === null || delivery.workspace_id !== input.workspace_id) return { refused: 'not_found' };
		const now = clock.now();
		if (isInFlight(delivery, now)) return { refused: 'delivery_in_progress' };
		const item = replayed(delivery, now, now);
		const guard = { if: 'version', version: delivery.version } as const;
		const kept = alongside(item);
		const outcome = await store.commit([...kept, { op: 'put', record: 'delivery', item, guard }]);
		if (outcome.committed) {
			await queues.send('retries', [deliveryMessage(item)]);
			return { delivery: item };
		}
		if (outcome.refused.some((position) => position < kept.length)) return { refused: 'idempotency_conflict' };
	}
}
