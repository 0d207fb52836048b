import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { decideDelivery } from '../../domain/webhooks/delivery-machine.ts';
import type { Ports } from '../../ports/ports.ts';
import { putNext } from '../kernel/unit-of-work.ts';
import { sendOn } from './event-outbox.ts';

/**
 * Sends a delivery again at once, as a new generation. False if an attempt is under way or another process was faster. If
 * the message is lost, the sweep sends another message.
 */
export async function resendDelivery(
	delivery: Delivery,
	deps: Pick<Ports, 'store' | 'clock' | 'queues'>,
): Promise<boolean> {
	const nowMs = deps.clock.now();
	const item = decideDelivery(delivery, { input: 'resend', at_ms: nowMs }, nowMs);
	if (item === null) return false;
	const { committed } = await deps.store.commit([putNext('delivery', item)]);
	if (committed) await sendOn(item, deps);
	return committed;
}
