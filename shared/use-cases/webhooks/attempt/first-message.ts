import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import { newDelivery } from '../../../domain/webhooks/delivery-machine.ts';
import { type Event, eventOf } from '../../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import type { CarriedEvent, FirstDeliveryMessage } from '../../../ports/registry.ts';

/** Ten messages with the largest carried events stay near 64 KB, which SQS bills as one request. */
const MOST_CARRIED_BYTES = 4096;
/** SQS refuses a message with these, and `JSON.stringify` escapes all other characters that SQS refuses. */
const REFUSED_BY_SQS = /[\uFFFE\uFFFF]/;

/** The event as the first message of a delivery carries it; undefined: the message does not carry it. */
export function carried(event: Event, { version }: WebhookEndpoint): CarriedEvent | undefined {
	const { id, sequence, created_at, body } = event;
	if (Buffer.byteLength(body) > MOST_CARRIED_BYTES || REFUSED_BY_SQS.test(body)) return undefined;
	return { id, sequence, created_at, body, endpoint_version: version };
}

/** The event that the message carries, and the delivery as its publication wrote it; null: the message carries none. */
export function unpacked(message: FirstDeliveryMessage): { readonly event: Event; readonly delivery: Delivery } | null {
	const { carries, workspace_id, subject_id, event: kind, endpoint_id } = message;
	if (carries === undefined) return null;
	const { endpoint_version, ...facts } = carries;
	const event = eventOf({ ...facts, workspace_id, subject_id, kind });
	const delivery = newDelivery(event, { id: endpoint_id, status: 'enabled' }, Date.parse(event.created_at));
	return delivery.id === message.delivery_id ? { event, delivery } : null;
}
