import type { Outgoing, Queues } from '../../ports/queues.ts';
import type { Messages, QueueName } from '../../ports/registry.ts';

/** How long a delayed message waits for others, in milliseconds: nothing beside a delay of at least a second. */
const WAIT_MS = 5;
/** SQS's maximum in one request. */
const BATCH = 10;

type Message = Outgoing<Messages[QueueName]>;
type Sent = Awaited<ReturnType<Queues['send']>>;
type Group = { readonly messages: Message[]; readonly sent: Promise<Sent>; readonly send: () => void };

/**
 * Sends the delayed messages that a worker's batch produces at about the same time in one request. So ten deliveries that
 * have to wait for their endpoint cost one request to SQS, not ten. A message without a delay is sent at once. `sent` and
 * `failed` count the messages of the whole request.
 */
export function sentTogether(queues: Queues): Queues {
	const groups = new Map<QueueName, Group>();

	function begin(queue: QueueName): Group {
		const messages: Message[] = [];
		const { promise, resolve, reject } = Promise.withResolvers<Sent>();
		const send = (): void => {
			clearTimeout(timer);
			groups.delete(queue);
			queues.send(queue, messages).then(resolve, reject);
		};
		const timer = setTimeout(send, WAIT_MS);
		const group = { messages, sent: promise, send };
		groups.set(queue, group);
		return group;
	}
	return {
		send(queue, messages) {
			if (messages.some(({ delay_seconds }) => delay_seconds === 0)) return queues.send(queue, messages);
			const group = groups.get(queue) ?? begin(queue);
			group.messages.push(...messages);
			if (group.messages.length >= BATCH) group.send();
			return group.sent;
		},
	};
}
