import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { askedFor, isInFlight } from '../../domain/webhooks/delivery-machine.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Queues } from '../../ports/queues.ts';
import type { Store, Write } from '../../ports/store.ts';
import { deliveryMessage } from './publish-event.ts';

type Deps = { readonly store: Store; readonly queues: Queues; readonly clock: Clock };
export type RetryRefusal =
	| 'not_found'
	| 'endpoint_deleted'
	| 'endpoint_disabled'
	| 'delivery_in_progress'
	| 'idempotency_conflict';
export type RetryDeliveryOutcome = { readonly delivery: Delivery } | { readonly refused: RetryRefusal };

/**
 * Delivers again now, on demand: same event id, new signature, one POST at once whatever the breaker says. Refused while
 * an attempt is in flight, and when the endpoint is deleted or disabled.
 */
export async function retryDelivery(
	input: { readonly workspace_id: string; readonly id: string },
	alongside: (delivery: Delivery) => readonly Write[],
	{ store, queues, clock }: Deps,
): Promise<RetryDeliveryOutcome> {
	for (;;) {
		const delivery = await store.get('delivery', { id: input.id });
		if (delivery === null || delivery.workspace_id !== input.workspace_id) return { refused: 'not_found' };
		const { workspace_id, endpoint_id } = delivery;
		const endpoint = await store.get('webhook_endpoint', { workspace_id, id: endpoint_id });
		if (endpoint === null) return { refused: 'endpoint_deleted' };
		if (endpoint.status === 'disabled') return { refused: 'endpoint_disabled' };
		const now_ms = clock.now();
		if (isInFlight(delivery, now_ms)) return { refused: 'delivery_in_progress' };
		const item = askedFor(delivery, now_ms);
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
