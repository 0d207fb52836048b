import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { decideDelivery } from '../../domain/webhooks/delivery-machine.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Queues } from '../../ports/queues.ts';
import { putNext } from '../kernel/unit-of-work.ts';
import { notifyOfExhausted } from '../notices/endpoint-notice.ts';
import { deliveryMessage } from '../webhooks/event-outbox.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'log'>;

/**
 * Queues an overdue delivery again, and stores when the sweep has to check the delivery next. If the delivery is exhausted,
 * it is reported to the team and to the operators instead. Does nothing while a lease shows that an attempt is running.
 */
export async function sendAgainIfOverdue(id: string, deps: Deps): Promise<void> {
	const { store, queues, clock } = deps;
	const delivery = await store.get('delivery', { id });
	const item = delivery === null ? null : decideDelivery(delivery, { input: 'sweep' }, clock.now());
	if (delivery === null || item === null) return;
	if (delivery.status === 'failed') {
		await notifyOfExhausted(delivery, deps);
		if (!(await sendPointer(delivery, queues))) return;
	}
	const outcome = await store.commit([putNext('delivery', item)]);
	if (!outcome.committed || item.due_at === null) return;
	await queues.send(item.attempt_count === 0 ? 'deliveries' : 'retries', [deliveryMessage(item)]);
}

/**
 * Sends a message with the id of an exhausted delivery to the dead-letter queue, for operators. False if the queue did not
 * accept the message.
 */
async function sendPointer(delivery: Delivery, queues: Queues): Promise<boolean> {
	const { message, ...rest } = deliveryMessage(delivery);
	const { sent } = await queues.send('dead-letters', [{ ...rest, message: { ...message, exhausted: true } }]);
	return sent === 1;
}
