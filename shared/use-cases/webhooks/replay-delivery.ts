import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { decideDelivery } from '../../domain/webhooks/delivery-machine.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Outgoing } from '../../ports/queues.ts';
import type { DeliveryMessage } from '../../ports/registry.ts';
import type { Put } from '../../ports/store.ts';
import { deliveryMessage } from './publish-event.ts';

/** The write of a delivery's next state, under the version that was read. */
export function putDelivery(item: Delivery, version: number): Put<'delivery'> {
	return { op: 'put', record: 'delivery', item, guard: { if: 'version', version } };
}

/**
 * Replays a delivery: it starts over as a new generation, due at `at_ms`. Returns the message to send, or null if an attempt is under way
 * or another process was faster. If the message is lost, the sweep sends another.
 */
export async function replayDelivery(
	delivery: Delivery,
	at_ms: number,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<Outgoing<DeliveryMessage> | null> {
	const now_ms = clock.now();
	const item = decideDelivery(delivery, { input: 'replay', at_ms }, now_ms);
	if (item === null) return null;
	const outcome = await store.commit([putDelivery(item, delivery.version)]);
	return outcome.committed ? deliveryMessage(item, at_ms - now_ms) : null;
}

/** Replays a delivery at once. False if an attempt is under way or another process was faster. */
export async function replayNow(delivery: Delivery, deps: Pick<Ports, 'store' | 'clock' | 'queues'>): Promise<boolean> {
	const message = await replayDelivery(delivery, deps.clock.now(), deps);
	if (message !== null) await deps.queues.send('retries', [message]);
	return message !== null;
}
