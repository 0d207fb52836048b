import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Put } from '../../ports/store.ts';

/** The write of a delivery's next state, under the version that was read: the one before. */
export function putDelivery(item: Delivery): Put<'delivery'> {
	return { op: 'put', record: 'delivery', item, guard: { if: 'version', version: item.version - 1 } };
}

/** The write of an endpoint's next state, under the version that was read: the one before. */
export function putEndpoint(item: WebhookEndpoint): Put<'webhook_endpoint'> {
	return { op: 'put', record: 'webhook_endpoint', item, guard: { if: 'version', version: item.version - 1 } };
}
