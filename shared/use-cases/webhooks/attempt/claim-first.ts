import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import { askedByMessage, decideDelivery } from '../../../domain/webhooks/delivery-machine.ts';
import { admit } from '../../../domain/webhooks/endpoint-breaker.ts';
import type { Event } from '../../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { FirstDeliveryMessage } from '../../../ports/registry.ts';
import { holdsLease } from './claim-delivery.ts';
import type { EndpointCache } from './endpoint-cache.ts';
import { unpacked } from './first-message.ts';

type Deps = Pick<Ports, 'store' | 'clock'> & { readonly endpoints: EndpointCache };
/** A leased delivery, with what its attempt needs. */
export type Claim = { readonly delivery: Delivery; readonly endpoint: WebhookEndpoint; readonly event: Event };

/**
 * Claims a delivery for its first attempt without reading it: the message says what the publication wrote, and the write is
 * refused unless the delivery is still that. Null: there is no attempt to make now. `undecided`: the table decides, because
 * the message carries no event, the endpoint is not simply open for deliveries, or the write was refused.
 *
 * While the breaker is open, a message whose delivery has to wait is dropped, without a write: the breaker's closing sends
 * every delivery that it finds without an attempt, and a delivery is committed before its message is here. See
 * docs/decisions/0052.
 */
export async function claimFirst(message: FirstDeliveryMessage, deps: Deps): Promise<Claim | null | 'undecided'> {
	const { clock, endpoints } = deps;
	const { carries, delivery_id, event } = message;
	if (carries === undefined) return 'undecided';
	const key = { workspace_id: message.workspace_id, id: message.endpoint_id };
	const endpoint = (await endpoints.calm(key, carries.endpoint_version)) ?? (await endpoints.latest(key));
	if (endpoint === null || endpoint.status === 'disabled') return 'undecided';
	if (endpoint.health.held_until === null) return claimPublished(message, endpoint, deps);
	const { admit: admission } = admit(endpoint.health, { id: delivery_id, event, attempt_count: 0 }, clock.now());
	return admission === 'wait' ? null : 'undecided';
}

async function claimPublished(
	message: FirstDeliveryMessage,
	endpoint: WebhookEndpoint,
	{ store, clock }: Deps,
): Promise<Claim | 'undecided'> {
	const published = unpacked(message);
	if (published === null) return 'undecided';
	const { delivery, event } = published;
	const now_ms = clock.now();
	const item = decideDelivery(delivery, { input: 'claim' }, now_ms);
	if (item === null || askedByMessage(delivery, message, now_ms) !== 'attempt') return 'undecided';
	const guard = { if: 'version', version: delivery.version, event_hash: delivery.event_hash } as const;
	const { committed } = await store.commit([{ op: 'put', record: 'delivery', item, guard }]);
	return committed && holdsLease(item, clock.now()) ? { delivery: item, endpoint, event } : 'undecided';
}
