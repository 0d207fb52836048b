import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { newDelivery } from '../../domain/webhooks/delivery-machine.ts';
import type { Event } from '../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import { delaySeconds, type Outgoing } from '../../ports/queues.ts';
import type { DeliveryMessage } from '../../ports/registry.ts';
import type { Write } from '../../ports/store.ts';

/** An event on its way: the writes that belong into the change's transaction, the messages to send after it. */
export type Publication = {
	readonly writes: readonly Write[];
	readonly messages: readonly Outgoing<DeliveryMessage>[];
};

/**
 * The message that asks for an attempt in so long; fair between endpoints. One that is to wait for longer than a queue
 * can carry it comes early, and is sent on.
 */
export function deliveryMessage(delivery: Delivery, wait_ms = 0): Outgoing<DeliveryMessage> {
	const { id: delivery_id, generation, workspace_id, endpoint_id, subject_id, event } = delivery;
	const message = { delivery_id, generation, workspace_id, endpoint_id, subject_id, event };
	return { message, delay_seconds: delaySeconds(wait_ms), group: endpoint_id };
}

/**
 * One event and one delivery for each endpoint subscribed to its kind at the commit. A disabled endpoint's delivery is
 * held. With no subscriber only the event is kept, for a later recover.
 */
export function publish(event: Event, endpoints: readonly WebhookEndpoint[], now_ms: number): Publication {
	const deliveries = endpoints
		.filter((endpoint) => endpoint.events.includes(event.kind))
		.map((endpoint) => newDelivery(event, endpoint, now_ms));
	const absent = { if: 'absent' } as const;
	return {
		writes: [
			{ op: 'put', record: 'event', item: event, guard: absent },
			...deliveries.map((item) => ({ op: 'put', record: 'delivery', item, guard: absent }) as const),
		],
		messages: deliveries.filter((item) => item.status === 'pending').map((item) => deliveryMessage(item)),
	};
}
