import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import { askedByMessage, decideDelivery } from '../../../domain/webhooks/delivery-machine.ts';
import type { Event } from '../../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { FirstDeliveryMessage } from '../../../ports/registry.ts';
import type { Store } from '../../../ports/store.ts';
import { holdsLease } from './claim-delivery.ts';
import type { EndpointCache } from './endpoint-cache.ts';
import { unpacked } from './first-message.ts';

type Deps = { readonly store: Store; readonly clock: Clock; readonly endpoints: EndpointCache };
/** A leased delivery, with what its attempt needs. */
export type Claim = { readonly delivery: Delivery; readonly endpoint: WebhookEndpoint; readonly event: Event };

/**
 * Claims a delivery for its first attempt without reading it: the message says what the publication wrote, and the write is
 * refused unless the delivery is still that. Null if the message carries no event, the endpoint has to be looked at, or the
 * write was refused: then the table decides.
 */
export async function claimFirst(message: FirstDeliveryMessage, deps: Deps): Promise<Claim | null> {
	const { store, clock, endpoints } = deps;
	const published = unpacked(message);
	if (published === null || message.carries === undefined) return null;
	const { delivery, event } = published;
	if (askedByMessage(delivery, message, clock.now()) !== 'attempt') return null;
	const key = { workspace_id: message.workspace_id, id: message.endpoint_id };
	const endpoint = await endpoints.calm(key, message.carries.endpoint_version);
	const item = decideDelivery(delivery, { input: 'claim' }, clock.now());
	if (endpoint === null || item === null) return null;
	const guard = { if: 'version', version: delivery.version, event_hash: delivery.event_hash } as const;
	const { committed } = await store.commit([{ op: 'put', record: 'delivery', item, guard }]);
	return committed && holdsLease(item, clock.now()) ? { delivery: item, endpoint, event } : null;
}
