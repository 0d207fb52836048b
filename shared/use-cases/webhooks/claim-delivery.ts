import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { asksAgainAt, claimed, postponed } from '../../domain/webhooks/delivery-machine.ts';
import { type Admission, admit } from '../../domain/webhooks/endpoint-machine.ts';
import type { EndpointHealth, WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Queues } from '../../ports/queues.ts';
import type { Put, Store, Write } from '../../ports/store.ts';
import { deliveryMessage } from './publish-event.ts';

type Deps = { readonly store: Store; readonly queues: Queues; readonly clock: Clock; readonly ids: Ids };

/** Deliveries that come at the same moment want the same slot; one that loses asks again so many times. */
const TRIES = 5;

export function putDelivery(item: Delivery, version: number): Put<'delivery'> {
	return { op: 'put', record: 'delivery', item, guard: { if: 'version', version } };
}

/** The endpoint with another health, if it is still as it was read. */
export function putHealth(endpoint: WebhookEndpoint, health: EndpointHealth): Put<'webhook_endpoint'> {
	const item = { ...endpoint, version: endpoint.version + 1, health };
	return { op: 'put', record: 'webhook_endpoint', item, guard: { if: 'version', version: endpoint.version } };
}

/** The delivery, ours for the length of the lease; null when another process has it or the breaker keeps it waiting. */
export async function claimDelivery(
	delivery: Delivery,
	endpoint: WebhookEndpoint,
	deps: Deps,
): Promise<Delivery | null> {
	let seen: WebhookEndpoint | null = endpoint;
	for (let tried = 0; tried < TRIES && seen !== null; tried += 1) {
		const taken = await takeTurn(delivery, admit(seen.health, delivery, deps.clock.now()), seen, deps);
		if (taken !== 'slot_lost') return taken;
		seen = await deps.store.get('webhook_endpoint', { workspace_id: endpoint.workspace_id, id: endpoint.id });
	}
	await waitWithout(delivery, deps);
	return null;
}

type Taken = Delivery | null | 'slot_lost';

async function takeTurn(delivery: Delivery, admission: Admission, seen: WebhookEndpoint, deps: Deps): Promise<Taken> {
	switch (admission.admit) {
		case 'now':
			return lease(delivery, null, deps);
		case 'probe':
			return lease(delivery, putHealth(seen, admission.health), deps);
		case 'booked':
			return postpone(delivery, admission.at_ms, putHealth(seen, admission.health), deps);
		case 'wait':
			return waitWithout(delivery, deps);
	}
}

async function lease(delivery: Delivery, slot: Write | null, { store, clock }: Deps): Promise<Taken> {
	const item = claimed(delivery, clock.now());
	const outcome = await store.commit([putDelivery(item, delivery.version), ...(slot === null ? [] : [slot])]);
	if (!outcome.committed) return outcome.refused.includes(0) ? null : 'slot_lost';
	// A process that stood still so long has lost its turn to the one that the sweep sends.
	return clock.now() < Date.parse(item.lease_until ?? '') ? item : null;
}

/** Waits until then; `slot`: the write by which the slot becomes its own. */
async function postpone(
	delivery: Delivery,
	at_ms: number,
	slot: Write | null,
	deps: Deps,
): Promise<null | 'slot_lost'> {
	const now_ms = deps.clock.now();
	const item = postponed(delivery, at_ms, now_ms);
	const outcome = await deps.store.commit([putDelivery(item, delivery.version), ...(slot === null ? [] : [slot])]);
	if (!outcome.committed) return outcome.refused.includes(0) ? null : 'slot_lost';
	await deps.queues.send('retries', [deliveryMessage(item, at_ms - now_ms)]);
	return null;
}

async function waitWithout(delivery: Delivery, deps: Deps): Promise<null> {
	const random = (deps.ids.random(1)[0] ?? 0) / 256;
	await postpone(delivery, asksAgainAt(delivery, deps.clock.now(), random), null, deps);
	return null;
}
