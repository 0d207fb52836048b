import type { Messages, QueueName } from './registry.ts';

/**
 * A queue did not accept a message, and there is no record from which the sweep could do the message's work. So the work
 * would be lost.
 */
export class QueueBusy extends Error {
	override readonly name = 'QueueBusy';
}

/** The longest time for which SQS delays a message ("DelaySeconds"). */
export const MAX_DELAY_SECONDS = 900;

export type Outgoing<M> = {
	readonly message: M;
	/** An integer from 0 to `MAX_DELAY_SECONDS`. */
	readonly delay_seconds: number;
	/**
	 * Keeps the messages of one tenant from delaying the messages of other tenants (SQS fair queues). Null if the message
	 * has no group.
	 */
	readonly group: string | null;
};

export type Queues = {
	/**
	 * Returns how many messages the queue accepted. If a record describes the work of a message that was not accepted, the
	 * sweep does that work. Otherwise, the caller has to try again. If a message has no body, or a delay that SQS does not
	 * allow, nothing is sent and this rejects with `RangeError`.
	 */
	send<Q extends QueueName>(
		queue: Q,
		messages: readonly Outgoing<Messages[Q]>[],
	): Promise<{ readonly sent: number; readonly failed: number }>;
};
