import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { decideDelivery } from '../../domain/webhooks/delivery-machine.ts';
import type { Ports } from '../../ports/ports.ts';
import { change, type ForRequest, putNext } from '../kernel/unit-of-work.ts';
import { deliveryMessage } from './event-outbox.ts';

export type RetryDeliveryResult =
	| { readonly outcome: 'retried'; readonly delivery: Delivery }
	| { readonly outcome: 'not_found' | 'endpoint_deleted' | 'endpoint_disabled' | 'delivery_in_progress' };
type Deps = ForRequest<RetryDeliveryResult> & Pick<Ports, 'store' | 'queues' | 'clock'>;

/**
 * Retries a delivery by hand: one POST at once, with the same event id and a new signature, even if the circuit breaker is
 * open. The retry is refused while an attempt is under way or due, and if the endpoint is deleted or disabled.
 */
export async function retryDelivery(
	{ workspace_id, id }: { readonly workspace_id: string; readonly id: string },
	deps: Deps,
): Promise<RetryDeliveryResult> {
	const { store, queues, clock } = deps;
	return change(
		{
			read: async () => {
				const delivery = await store.get('delivery', { id });
				if (delivery === null || delivery.workspace_id !== workspace_id) return null;
				const endpoint = await store.get('webhook_endpoint', { workspace_id, id: delivery.endpoint_id });
				return { delivery, endpoint };
			},
			decide: (state) => {
				if (state === null) return { result: { outcome: 'not_found' } };
				if (state.endpoint === null) return { result: { outcome: 'endpoint_deleted' } };
				if (state.endpoint.status === 'disabled') return { result: { outcome: 'endpoint_disabled' } };
				const delivery = decideDelivery(state.delivery, { input: 'manual_retry' }, clock.now());
				if (delivery === null) return { result: { outcome: 'delivery_in_progress' } };
				return {
					result: { outcome: 'retried', delivery },
					writes: { delivery: putNext('delivery', delivery) },
					afterwards: () => queues.send('retries', [deliveryMessage(delivery)]),
				};
			},
		},
		deps.store,
		deps.keepResponse,
	);
}
