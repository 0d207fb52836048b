import { TIMED_BY_MESSAGE_MS } from '../../../domain/kernel/wake-up.ts';
import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import type { Ports } from '../../../ports/ports.ts';
import { deliveryMessage } from '../publish-event.ts';

/** Sends the message of a delivery's next attempt, delayed until then. The sweep times longer waits. */
export async function sendOn(delivery: Delivery, { queues, clock }: Pick<Ports, 'queues' | 'clock'>): Promise<void> {
	const wait_ms = Date.parse(delivery.next_attempt_at ?? '') - clock.now();
	if (wait_ms > TIMED_BY_MESSAGE_MS) return;
	await queues.send('retries', [deliveryMessage(delivery, wait_ms)]);
}
