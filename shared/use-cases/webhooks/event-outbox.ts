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

/** The outbox of one event: writes for the change's transaction, and messages to send after it. */
export type Publication = {
	readonly writes: readonly Write[];
	readonly messages: readonly Outgoing<DeliveryMessage>[];
};

/** Limits a delay to what a queue supports. A message that arrives early is sent on. */
export function delaySeconds(waitMs: number): number {
	return Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.ceil(waitMs / 1000)));
}

/**
 * The message that requests an attempt after this delay, grouped by endpoint. If the delay is longer than a queue supports,
 * the message arrives early and is sent on.
 */
export function deliveryMessage(delivery: Delivery, waitMs = 0): Outgoing<DeliveryMessage> {
	const { id: delivery_id, generation, workspace_id, endpoint_id, subject_id, event } = delivery;
	const message = { delivery_id, generation, workspace_id, endpoint_id, subject_id, event };
	return { message, delay_seconds: delaySeconds(waitMs), group: endpoint_id };
}

/** Sends the message of a delivery's next attempt, delayed until then. The sweep times longer waits. */
export async function sendOn(delivery: Delivery, { queues, clock }: Pick<Ports, 'queues' | 'clock'>): Promise<void> {
	const waitMs = Date.parse(delivery.next_attempt_at ?? '') - clock.now();
	if (waitMs <= TIMED_BY_MESSAGE_MS) await queues.send('retries', [deliveryMessage(delivery, waitMs)]);
}

/** Part of a change with events that were made at `madeMs`: it is committed in time for the feed, or decided again. */
export function boundedBy(madeMs: number, clock: Ports['clock']): Pick<Proposal<never>, 'inTime'> {
	return { inTime: () => mayStillCommit(madeMs, clock.now()) };
}

/**
 * Creates one event, and one delivery for each endpoint that subscribes to its type at the commit. Without a subscriber, only
 * the event is stored, for a later recovery.
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
