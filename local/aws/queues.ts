import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { LocalError } from '../local-error.ts';
import type { Named } from '../template.ts';
import { postTo, type StandIn } from './stand-in.ts';

const Message = z.object({
	MessageId: z.string(),
	ReceiptHandle: z.string(),
	Body: z.string(),
	Attributes: z.optional(z.record(z.string(), z.string())),
});
export type Message = z.infer<typeof Message>;
export type LocalQueues = {
	readonly at: StandIn;
	create(queues: readonly Named[]): Promise<void>;
	/** Waits up to 20 s for messages; fewer than asked for when there are. */
	receive(queue: string, count: number, signal: AbortSignal): Promise<readonly Message[]>;
	remove(queue: string, messages: readonly Message[]): Promise<void>;
	stop(): Promise<void>;
};

const WAIT_SECONDS = 20;
const ACCOUNT_PATH = '000000000000';

/** Starts fauxqs in a thread, its queues kept in a directory; or takes the endpoint in AWS_ENDPOINT_URL_SQS or AWS_ENDPOINT_URL. */
export async function startQueues(directory: string): Promise<LocalQueues> {
	const given = process.env['AWS_ENDPOINT_URL_SQS'] ?? process.env['AWS_ENDPOINT_URL'];
	const own = given ? null : await startKept(directory);
	const at = own ?? { url: given ?? '' };
	// Of a queue's address the stand-in reads the last part.
	const queueUrl = (name: string): string => `${given ?? 'http://localhost'}/${ACCOUNT_PATH}/${name}`;

	async function call(operation: string, input: object, signal?: AbortSignal): Promise<Record<string, unknown>> {
		const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` };
		const response = await postTo(at, headers, JSON.stringify(input), signal);
		const answer: Record<string, unknown> = JSON.parse(await text(response));
		if (response.statusCode !== 200) throw new Error(`sqs: ${operation}: ${String(answer['__type'])}`);
		return answer;
	}
	async function exists(name: string): Promise<boolean> {
		const { QueueUrls } = await call('ListQueues', { QueueNamePrefix: name }).catch((error: unknown) => {
			throw new LocalError(`The queues' stand-in does not answer on ${given}: ${String(error)}`);
		});
		return Array.isArray(QueueUrls) && QueueUrls.some((known) => String(known).endsWith(`/${name}`));
	}

	return {
		at,
		async create(queues) {
			// A queue that redrives needs its dead-letter queue first.
			const ordered = [...queues].sort(
				(a, b) => Number('RedrivePolicy' in a.properties) - Number('RedrivePolicy' in b.properties),
			);
			for (const { id, properties } of ordered) {
				const Attributes = attributesOf(properties);
				// Kept queues take on what the template says now.
				if ((await exists(id)) && Object.keys(Attributes).length > 0) {
					await call('SetQueueAttributes', { QueueUrl: queueUrl(id), Attributes });
				} else {
					await call('CreateQueue', { QueueName: id, Attributes });
				}
			}
		},
		async receive(queue, count, signal) {
			const input = {
				QueueUrl: queueUrl(queue),
				MaxNumberOfMessages: count,
				WaitTimeSeconds: WAIT_SECONDS,
				AttributeNames: ['All'],
			};
			const { Messages } = await call('ReceiveMessage', input, signal);
			return z.array(Message).parse(Messages ?? []);
		},
		async remove(queue, messages) {
			if (messages.length === 0) return;
			const Entries = messages.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
			await call('DeleteMessageBatch', { QueueUrl: queueUrl(queue), Entries });
		},
		stop: async () => own?.stop(),
	};
}

/**
 * fauxqs on a socket that only this user can open. It checks no signature and takes what an HTML form can send, so on a
 * port any web page could place messages. Not in the state directory: the path of a socket has about 100 characters at most.
 */
async function startKept(directory: string) {
	const folder = mkdtempSync(join(tmpdir(), 'call-back-queues-'));
	const socket = join(folder, 'sqs.sock');
	const thread = new Worker(new URL('./fauxqs-thread.ts', import.meta.url), { workerData: { directory, socket } });
	await once(thread, 'message');
	return {
		socket,
		async stop() {
			const ended = once(thread, 'exit');
			thread.postMessage('stop');
			await ended;
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

const NUMBERS = [
	'DelaySeconds',
	'MaximumMessageSize',
	'MessageRetentionPeriod',
	'ReceiveMessageWaitTimeSeconds',
	'VisibilityTimeout',
] as const;

/** The attributes that SQS takes as text. */
function attributesOf(properties: Named['properties']): Record<string, string> {
	const { RedrivePolicy } = properties;
	const numbers = NUMBERS.flatMap((name) => (properties[name] === undefined ? [] : [[name, String(properties[name])]]));
	return {
		...Object.fromEntries(numbers),
		...(RedrivePolicy !== undefined && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
	};
}
