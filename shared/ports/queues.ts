import type { Messages, QueueName } from './registry.ts';

/** A queue did not accept a message that no record repeats, so the sweep could not find its work. */
export class QueueBusy extends Error {
	override readonly name = 'QueueBusy';
}

/** SQS delays a message by at most this ("DelaySeconds"). */
export const MAX_DELAY_SECONDS = 900;

export type Outgoing<M> = {
	readonly message: M;
	/** An integer from 0 to `MAX_DELAY_SECONDS`. */
	readonly delay_seconds: number;
	/** Fairness between tenants (SQS fair queues); null: none. */
	readonly group: string | null;
};

export type Queues = {
	/**
	 * Resolves to the number of messages that the queue accepted. For the others, the sweep finds the work if a record has it;
	 * otherwise the caller has to try again. Sends nothing and rejects with `RangeError` if a message has no body or a delay
	 * that SQS does not allow.
	 */
	send<Q extends QueueName>(
		queue: Q,
		messages: readonly Outgoing<Messages[Q]>[],
	): Promise<{ readonly sent: number; readonly failed: number }>;
};
