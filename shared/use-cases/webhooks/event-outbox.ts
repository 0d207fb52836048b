import { TIMED_BY_MESSAGE_MS } from '../../domain/kernel/wake-up.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { newDelivery } from '../../domain/webhooks/delivery-machine.ts';
import type { Event } from '../../domain/webhooks/event.ts';
import { mayStillCommit } from '../../domain/webhooks/event-feed.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../ports/ports.ts';
import { MAX_DELAY_SECONDS, type Outgoing } from '../../ports/queues.ts';
import type { DeliveryMessage } from '../../ports/registry.ts';
import type { Write } from '../../ports/store.ts';
import type { Proposal } from '../kernel/unit-of-work.ts';

/** What is needed to publish an event: writes for the transaction of the change, and messages to send after it. */
export type Publication = {
	readonly writes: readonly Write[];
	readonly messages: readonly Outgoing<DeliveryMessage>[];
};

/**
 * The delay of a message about work that is due after this wait, at most the longest delay that a queue supports. If the
 * wait is longer, the message arrives before the work is due. Its receiver then sends another message with the rest of the
 * wait.
 */
export function delaySeconds(waitMs: number): number {
	return Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.ceil(waitMs / 1000)));
}

/** The message that asks for an attempt after this wait (see `delaySeconds`). Messages are grouped by endpoint. */
export function deliveryMessage(delivery: Delivery, waitMs = 0): Outgoing<DeliveryMessage> {
	const { id: delivery_id, generation, workspace_id, endpoint_id, subject_id, event } = delivery;
	const message = { delivery_id, generation, workspace_id, endpoint_id, subject_id, event };
	return { message, delay_seconds: delaySeconds(waitMs), group: endpoint_id };
}

/**
 * Queues the delivery's next attempt with the right delay. If the wait is too long for a message, nothing is sent, and the
 * sweep queues the attempt when it is due.
 */
export async function sendOn(delivery: Delivery, { queues, clock }: Pick<Ports, 'queues' | 'clock'>): Promise<void> {
	const waitMs = Date.parse(delivery.next_attempt_at ?? '') - clock.now();
	if (waitMs <= TIMED_BY_MESSAGE_MS) await queues.send('retries', [deliveryMessage(delivery, waitMs)]);
}

/**
 * Limits the time between `madeMs`, when the events of a change were made, and the commit of the change. The feed of events
 * allows only a short time. If that time is over, the change is decided again.
 */
export function boundedBy(madeMs: number, clock: Ports['clock']): Pick<Proposal<never>, 'inTime'> {
	return { inTime: () => mayStillCommit(madeMs, clock.now()) };
}

/**
 * Creates one event, and one delivery for each endpoint that now subscribes to the event's type. If no endpoint subscribes
 * to the type, only the event is stored, so that it can be recovered later.
 */
export function publish(event: Event, endpoints: readonly WebhookEndpoint[]): Publication {
	const atMs = Date.parse(event.created_at);
	const deliveries = endpoints
		.filter((endpoint) => endpoint.events.includes(event.kind))
		.map((endpoint) => newDelivery(event, endpoint, atMs));
	const absent = { if: 'absent' } as const;
	return {
		writes: [
			{ op: 'put', record: 'event', item: event, guard: absent },
			...deliveries.map((item) => ({ op: 'put', record: 'delivery', item, guard: absent }) as const),
		],
		messages: deliveries.map((item) => deliveryMessage(item)),
	};
}
