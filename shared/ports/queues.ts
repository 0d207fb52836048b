import type { NoticeChannel } from '../domain/leads/team-notice.ts';
import { CARRIED_BY_QUEUE_MS } from '../domain/webhooks/attempt-outcome.ts';
import type { EventKind } from '../domain/webhooks/event.ts';

/** What each queue carries. A message is only a hint: the table is the truth. */
export type Messages = {
	'dial-legs': { readonly call_id: string; readonly leg_id: string };
	'hang-up-legs': { readonly call_id: string; readonly leg_id: string };
	/** Look at the call: the deadline `at` has come (null: the sweep asks). */
	'call-timers': { readonly call_id: string; readonly at: string | null };
	deliveries: DeliveryMessage;
	retries: DeliveryMessage;
	/** Tell the team of the lead, if it is still to be told. */
	'team-notices': NoticeMessage;
	/** A pointer to a delivery that failed for good, or to a notice that was given up, so that operators watch one depth. */
	'dead-letters': (DeliveryMessage & { readonly exhausted: true }) | NoticeMessage;
};
export type DeliveryMessage = {
	readonly delivery_id: string;
	readonly generation: number;
	/** Where its endpoint and its event lie, so that all three are read at once. */
	readonly workspace_id: string;
	readonly endpoint_id: string;
	readonly subject_id: string;
	readonly event: EventKind;
	/** It comes from the dead-letter queue, where it pointed to a delivery that had failed for good: start over. */
	readonly exhausted?: true | undefined;
};
export type NoticeMessage = { readonly lead_id: string; readonly channel?: NoticeChannel | undefined };
export type QueueName = keyof Messages;
/** The queues that a worker works off; only people look into the other. */
export type WorkQueueName = Exclude<QueueName, 'dead-letters'>;

/** SQS delays a message by at most this. */
export const MAX_DELAY_SECONDS = CARRIED_BY_QUEUE_MS / 1000;

export type Outgoing<M> = {
	readonly message: M;
	/** An integer from 0 to `MAX_DELAY_SECONDS`. */
	readonly delay_seconds: number;
	/** Fairness between tenants (SQS fair queues); null: none. */
	readonly group: string | null;
};

export type Queues = {
	/**
	 * Resolves to how many messages the queue took. The sweep finds the work of the others, so the caller only counts them.
	 * Sends nothing and rejects with `RangeError` if a message has no body or a delay that SQS does not allow.
	 */
	send<Q extends QueueName>(
		queue: Q,
		messages: readonly Outgoing<Messages[Q]>[],
	): Promise<{ readonly sent: number; readonly failed: number }>;
};
