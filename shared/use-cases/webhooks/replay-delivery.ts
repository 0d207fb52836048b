import { TIMED_BY_MESSAGE_MS } from '../../domain/kernel/wake-up.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { decideDelivery } from '../../domain/webhooks/delivery-machine.ts';
import type { Ports } from '../../ports/ports.ts';
import { putNext } from '../kernel/change.ts';
import { deliveryMessage } from './publish-event.ts';

/** Sends the message of a delivery's next attempt, delayed until then. The sweep times longer waits. */
export async function sendOn(delivery: Delivery, { queues, clock }: Pick<Ports, 'queues' | 'clock'>): Promise<void> {
	const wait_ms = Date.parse(delivery.next_attempt_at ?? '') - clock.now();
	if (wait_ms <= TIMED_BY_MESSAGE_MS) await queues.send('retries', [deliveryMessage(delivery, wait_ms)]);
}

/**
 * Replays a delivery: it starts over as a new generation, due at `at_ms`. Returns what is to be sent on, or null if an
 * attempt is under way or another process was faster. If its message is lost, the sweep sends another.
 */
export async function replayDelivery(
	delivery: Delivery,
	at_ms: number,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<Delivery | null> {
	const item = decideDelivery(delivery, { input: 'replay', at_ms }, clock.now());
	if (item === null) return null;
	const { committed } = await store.commit([putNext('delivery', item)]);
	return committed ? item : null;
}

/** Replays a delivery at once. False if an attempt is under way or another process was faster. */
export async function replayNow(delivery: Delivery, deps: Pick<Ports, 'store' | 'clock' | 'queues'>): Promise<boolean> {
	const item = await replayDelivery(delivery, deps.clock.now(), deps);
	if (item !== null) await sendOn(item, deps);
	return item !== null;
}
