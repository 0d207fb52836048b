import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import { asksAgainAt, decideDelivery } from '../../../domain/webhooks/delivery-machine.ts';
import { isUntried } from '../../../domain/webhooks/delivery-state.ts';
import { admit } from '../../../domain/webhooks/endpoint-breaker.ts';
import type { EndpointHealth, WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { Put, Write } from '../../../ports/store.ts';
import { change, type Proposal } from '../../kernel/change.ts';
import { deliveryMessage } from '../publish-event.ts';
import { startOver } from '../resume-endpoint.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids'>;

export function putDelivery(item: Delivery, version: number): Put<'delivery'> {
	return { op: 'put', record: 'delivery', item, guard: { if: 'version', version } };
}

/** The write of the endpoint's new health, under the version that was read. */
export function putHealth(endpoint: WebhookEndpoint, health: EndpointHealth): Put<'webhook_endpoint'> {
	const item = { ...endpoint, version: endpoint.version + 1, health };
	return { op: 'put', record: 'webhook_endpoint', item, guard: { if: 'version', version: endpoint.version } };
}

/** Leases the delivery; null if another process has it, or if it has to wait for the breaker. */
export async function claimDelivery(
	delivery: Delivery,
	endpoint: WebhookEndpoint,
	deps: Deps,
): Promise<Delivery | null> {
	const { workspace_id, id } = endpoint;
	const leased = await change<WebhookEndpoint | null, Delivery | null>(
		{
			from: endpoint,
			read: () => deps.store.get('webhook_endpoint', { workspace_id, id }),
			decide: (seen) => (seen === null ? { result: null } : takeTurn(delivery, seen, deps)),
		},
		deps.store,
	);
	return leased !== null && holdsLease(leased, deps.clock.now()) ? leased : null;
}

/** A process that stalled for longer has lost its lease; the sweep starts another attempt. */
export const holdsLease = ({ lease_until }: Delivery, now_ms: number): boolean =>
	now_ms < Date.parse(lease_until ?? '');

type Turn = Proposal<Delivery | null>;
type Slot = { readonly slot?: Write };

function takeTurn(delivery: Delivery, seen: WebhookEndpoint, deps: Deps): Turn {
	const now_ms = deps.clock.now();
	const admission = admit(seen.health, delivery, now_ms);
	switch (admission.admit) {
		case 'now':
			return lease(delivery, {}, now_ms);
		case 'probe':
			return lease(delivery, { slot: putHealth(seen, admission.health) }, now_ms);
		case 'booked':
			return postpone(delivery, admission.at_ms, { slot: putHealth(seen, admission.health) }, deps, queued);
		case 'wait':
			// Nothing to write, and no message: see `isUntried`.
			return isUntried(delivery, now_ms) ? { result: null } : askAgainLater(delivery, deps);
	}
}

/** `slot`: the write that gives the delivery a slot. If another delivery was faster, decide again. */
function lease(delivery: Delivery, slot: Slot, now_ms: number): Turn {
	const item = decideDelivery(delivery, { input: 'claim' }, now_ms);
	if (item === null) return { result: null };
	return { result: item, writes: { delivery: putDelivery(item, delivery.version), ...slot }, refusals: TAKEN };
}

type Waiting = { readonly item: Delivery; readonly wait_ms: number };

/** `then`: what to do when the waiting delivery is written. */
function postpone(
	delivery: Delivery,
	at_ms: number,
	slot: Slot,
	deps: Deps,
	then: (waiting: Waiting, deps: Deps) => Promise<unknown>,
): Turn {
	const now_ms = deps.clock.now();
	const item = decideDelivery(delivery, { input: 'wait', at_ms }, now_ms);
	if (item === null) return { result: null };
	return {
		result: null,
		writes: { delivery: putDelivery(item, delivery.version), ...slot },
		refusals: TAKEN,
		afterwards: () => then({ item, wait_ms: at_ms - now_ms }, deps),
	};
}

/** Another process has leased the delivery. */
const TAKEN = { delivery: null } as const;

function queued({ item, wait_ms }: Waiting, { queues }: Deps): Promise<unknown> {
	return queues.send('retries', [deliveryMessage(item, wait_ms)]);
}

function askAgainLater(delivery: Delivery, deps: Deps): Turn {
	const random = (deps.ids.random(1)[0] ?? 0) / 256;
	return postpone(delivery, asksAgainAt(delivery, deps.clock.now(), random), {}, deps, queuedUnlessClosed);
}

/**
 * The breaker may have closed after the endpoint was read, and sent those that waited before this one did: then it starts
 * over now.
 */
async function queuedUnlessClosed(waiting: Waiting, deps: Deps): Promise<void> {
	const { workspace_id, endpoint_id: id } = waiting.item;
	const endpoint = await deps.store.get('webhook_endpoint', { workspace_id, id });
	if (endpoint === null || endpoint.health.held_until !== null) return void (await queued(waiting, deps));
	const again = await startOver(waiting.item, deps.clock.now(), deps);
	if (again !== null) await deps.queues.send('retries', [again]);
}
