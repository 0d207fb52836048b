import type { Outgoing, Queues } from '../../ports/queues.ts';
import type { Messages, QueueName } from '../../ports/registry.ts';
import { BATCH } from './queues.ts';

/** How long a message waits for others, in milliseconds. */
const WAIT_MS = 5;

type Message = Outgoing<Messages[QueueName]>;
type SendOutcome = Awaited<ReturnType<Queues['send']>>;
type Group = { readonly messages: Message[]; readonly sent: Promise<SendOutcome>; readonly send: () => void };

/**
 * Sends messages of about the same time in one request. A caller's messages count as failed if any message of the request
 * failed; sending one twice is harmless.
 */
export function sentTogether(queues: Queues): Queues {
	const groups = new Map<QueueName, Group>();

	function begin(queue: QueueName): Group {
		const messages: Message[] = [];
		const { promise, resolve, reject } = Promise.withResolvers<SendOutcome>();
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
			const group = groups.get(queue) ?? begin(queue);
			group.messages.push(...messages);
			if (group.messages.length >= BATCH) group.send();
			const { length } = messages;
			return group.sent.then(({ failed }) => (failed === 0 ? { sent: length, failed } : { sent: 0, failed: length }));
		},
	};
}
