import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { decideDelivery } from '../../domain/webhooks/delivery-machine.ts';
import type { Ports } from '../../ports/ports.ts';
import { putNext } from '../kernel/unit-of-work.ts';
import { sendOn } from './event-outbox.ts';

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
