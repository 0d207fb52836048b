import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import { askedByMessage, type DeliveryInput, decideDelivery } from '../../../domain/webhooks/delivery-machine.ts';
import { admit, type EndpointHealth } from '../../../domain/webhooks/endpoint-health.ts';
import type { Event } from '../../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { DeliveryMessage } from '../../../ports/registry.ts';
import type { Put } from '../../../ports/store.ts';
import { change, type Proposal } from '../../kernel/change.ts';
import { putDelivery, replayNow } from '../replay-delivery.ts';
import { sendOn } from './send-on.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids'>;
type Seen = {
	readonly delivery: Delivery | null;
	readonly endpoint: WebhookEndpoint | null;
	readonly event: Event | null;
};
/** What a message is about, with the delivery leased to this process. */
export type Claim = { readonly [F in keyof Seen]: NonNullable<Seen[F]> };

/**
 * Reads what a message is about, together, and leases the delivery with one write, so that only one of many messages
 * attempts it. Null if there is no attempt to make: the message is not due or of another generation, the endpoint is disabled
 * or deleted, or the delivery waits for the breaker.
 */
export async function claimDelivery(message: DeliveryMessage, deps: Deps): Promise<Claim | null> {
	const { store, clock } = deps;
	const claim = await change<Seen, Claim | null>(
		{ read: () => readTogether(message, store), decide: (seen) => decideClaim(seen, message, deps) },
		store,
	);
	// A process that stalled for longer has lost its lease; the sweep starts another attempt.
	return claim !== null && clock.now() < Date.parse(claim.delivery.lease_until ?? '') ? claim : null;
}

async function readTogether(message: DeliveryMessage, store: Deps['store']): Promise<Seen> {
	const { delivery_id, workspace_id, endpoint_id, subject_id, event: kind } = message;
	const [delivery, endpoint, event] = await Promise.all([
		store.get('delivery', { id: delivery_id }),
		store.get('webhook_endpoint', { workspace_id, id: endpoint_id }),
		store.get('event', { subject_id, kind }),
	]);
	return { delivery, endpoint, event };
}

const NO_ATTEMPT = { result: null } as const;

function decideClaim(
	{ delivery, endpoint, event }: Seen,
	message: DeliveryMessage,
	deps: Deps,
): Proposal<Claim | null> {
	if (delivery === null) return NO_ATTEMPT;
	if (!isAbout(message, delivery)) throw new Error('the message is about another delivery');
	switch (askedByMessage(delivery, message, deps.clock.now())) {
		case 'nothing':
			return NO_ATTEMPT;
		case 'replay':
			return { result: null, afterwards: () => replayNow(delivery, deps) };
		case 'wait_on':
			return { result: null, afterwards: () => sendOn(delivery, deps) };
		case 'attempt':
			if (endpoint === null || event === null) return moved(delivery, { input: 'endpoint_deleted' }, deps);
			if (endpoint.status === 'enabled') return pass({ delivery, endpoint, event }, deps);
			return moved(delivery, { input: 'endpoint_disabled' }, deps, () => restartIfEnabled(delivery, deps));
	}
}

/** The message's other ids were copied from the delivery. */
function isAbout(message: DeliveryMessage, delivery: Delivery): boolean {
	const names = ['workspace_id', 'endpoint_id', 'subject_id', 'event'] as const;
	return names.every((name) => message[name] === delivery[name]);
}

/** Leases the delivery, or lets it wait for its endpoint's breaker. */
function pass({ delivery, endpoint, event }: Claim, deps: Deps): Proposal<Claim | null> {
	const now_ms = deps.clock.now();
	const admission = admit(endpoint.health, delivery, now_ms);
	if (admission.admit === 'wait') {
		const random = (deps.ids.random(1)[0] ?? 0) / 256;
		return moved(delivery, { input: 'wait', random }, deps, (item) => sendOn(item, deps));
	}
	const leased = decideDelivery(delivery, { input: 'claim' }, now_ms);
	if (leased === null) return NO_ATTEMPT;
	const lease = putDelivery(leased, delivery.version);
	if (admission.admit === 'now') return { result: { delivery: leased, endpoint, event }, writes: { lease } };
	const place = putHealth(endpoint, admission.health);
	return { result: { delivery: leased, endpoint: place.item, event }, writes: { lease, place } };
}

function putHealth(endpoint: WebhookEndpoint, health: EndpointHealth): Put<'webhook_endpoint'> {
	const item = { ...endpoint, version: endpoint.version + 1, health };
	return { op: 'put', record: 'webhook_endpoint', item, guard: { if: 'version', version: endpoint.version } };
}

function moved(
	delivery: Delivery,
	input: DeliveryInput,
	{ clock }: Deps,
	afterwards: (item: Delivery) => Promise<unknown> = async () => undefined,
): Proposal<null> {
	const item = decideDelivery(delivery, input, clock.now());
	if (item === null) return NO_ATTEMPT;
	return {
		result: null,
		writes: { delivery: putDelivery(item, delivery.version) },
		afterwards: () => afterwards(item),
	};
}

/** Its endpoint was enabled while the delivery was held: no other process will start it over. */
async function restartIfEnabled({ id, workspace_id, endpoint_id }: Delivery, deps: Deps): Promise<void> {
	const [endpoint, held] = await Promise.all([
		deps.store.get('webhook_endpoint', { workspace_id, id: endpoint_id }),
		deps.store.get('delivery', { id }),
	]);
	if (endpoint?.status === 'enabled' && held?.status === 'held') await replayNow(held, deps);
}
