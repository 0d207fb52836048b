import type * as z from 'zod/mini';
import type { WebhookDeliveryListQuery } from '../../contract/webhooks/webhook-deliveries.ts';
import { attemptsIn, type Delivery } from '../../domain/webhooks/delivery.ts';
import { deliveryHeaders } from '../../domain/webhooks/delivery-headers.ts';
import type { Event } from '../../domain/webhooks/event.ts';
import type { ListPart } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';
import { hasStatus, statusParts } from '../edge/list-filters.ts';

/** A delivery as the API shows it, with a summary of its newest attempt. */
export function presentDelivery(delivery: Delivery) {
	const { last_attempt } = delivery;
	return {
		...delivery,
		last_attempt_at: last_attempt?.started_at ?? null,
		response_status: last_attempt?.response_status ?? null,
		error: last_attempt?.error ?? null,
	};
}

/** A delivery as the API shows it, with the request that is sent and with every attempt, oldest first. */
export async function presentInFull(delivery: Delivery, store: Pick<Store, 'get' | 'attemptsOf'>) {
	const { id, subject_id, event: kind } = delivery;
	const [older, event] = await Promise.all([store.attemptsOf(id), store.get('event', { subject_id, kind })]);
	const attempts = attemptsIn(delivery, older);
	return { ...presentDelivery(delivery), request: event && requestOf(delivery, event), attempts };
}

/**
 * What the newest attempt has sent, without the signature, the header `traceparent` and the endpoint's own headers. Before
 * any attempt, this is what the first attempt will send.
 */
function requestOf({ id: delivery_id, attempt_count }: Delivery, event: Event) {
	const headers = deliveryHeaders(event, { delivery_id, number: Math.max(1, attempt_count) });
	return { headers: { ...headers, 'webhook-id': event.id }, body: event.body };
}

/** The filters of a list of deliveries. If a filter is absent, every delivery passes it. */
export type DeliveryFilters = Partial<z.infer<typeof WebhookDeliveryListQuery>>;

/**
 * The parts of the list that contain the deliveries which pass the filters: the parts of the wanted statuses, or else the part of
 * the endpoint. Undefined if the filters select no part.
 */
export function deliveryParts({ status, endpoint_id }: DeliveryFilters): readonly ListPart[] | undefined {
	return statusParts('delivery', status) ?? (endpoint_id === undefined ? undefined : [{ endpoint_id }]);
}

/** The fields of a delivery that the filters look at. */
export const filteredFields = ['status', 'endpoint_id', 'event', 'event_id'] as const;
export type Filtered = Pick<Delivery, (typeof filteredFields)[number]>;

export function matchesFilters(delivery: Filtered, query: DeliveryFilters): boolean {
	const { endpoint_id = delivery.endpoint_id, event = delivery.event, event_id = delivery.event_id } = query;
	return (
		hasStatus(delivery, query) &&
		delivery.endpoint_id === endpoint_id &&
		delivery.event === event &&
		delivery.event_id === event_id
	);
}
