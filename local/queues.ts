import { DatabaseSync } from 'node:sqlite';
import { startFauxqs } from 'fauxqs';
import * as z from 'zod/mini';
import { LocalError } from './local-error.ts';
import type { Named } from './template.ts';

const Message = z.object({
	MessageId: z.string(),
	ReceiptHandle: z.string(),
	Body: z.string(),
	Attributes: z.optional(z.record(z.string(), z.string())),
});
export type Message = z.infer<typeof Message>;
export type LocalQueues = {
	readonly url: string;
	create(queues: readonly Named[]): Promise<void>;
	/** Waits up to 20 s for messages; fewer than asked for when there are. */
	receive(queue: string, count: number, signal: AbortSignal): Promise<readonly Message[]>;
	remove(queue: string, messages: readonly Message[]): Promise<void>;
	stop(): Promise<void>;
};

const WAIT_SECONDS = 20;
const ACCOUNT_PATH = '000000000000';

/** Starts fauxqs in this process, its queues kept in a directory; or takes the endpoint in AWS_ENDPOINT_URL_SQS. */
export async function startQueues(directory: string): Promise<LocalQueues> {
	const given = process.env['AWS_ENDPOINT_URL_SQS'];
	const server = given ? null : await startKept(directory);
	const url = given ?? `http://127.0.0.1:${server?.port}`;
	const queueUrl = (name: string): string => `${url}/${ACCOUNT_PATH}/${name}`;

	async function call(operation: string, input: object, signal?: AbortSignal): Promise<Record<string, unknown>> {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` },
			body: JSON.stringify(input),
			...(signal && { signal }),
		});
		const answer: Record<string, unknown> = JSON.parse(await response.text());
		if (!response.ok) throw new Error(`sqs: ${operation}: ${String(answer['__type'])}`);
		return answer;
	}
	async function exists(name: string): Promise<boolean> {
		const { QueueUrls } = await call('ListQueues', { QueueNamePrefix: name }).catch((error: unknown) => {
			throw new LocalError(`The queues' stand-in does not answer on ${url}: ${String(error)}`);
		});
		return Array.isArray(QueueUrls) && QueueUrls.some((known) => String(known).endsWith(`/${name}`));
	}

	return {
		url,
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
		stop: async () => server?.stop(),
	};
}

/**
 * fauxqs waits for the disk with every message, 3 ms each. What it has written is with the operating system, which a
 * kill -9 does not touch; so its database is told, as it opens, to leave the disk to it (SQLite, "PRAGMA synchronous").
 */
function startKept(directory: string): ReturnType<typeof startFauxqs> {
	const { exec } = DatabaseSync.prototype;
	DatabaseSync.prototype.exec = function (sql) {
		exec.call(this, sql);
		if (sql.includes('journal_mode')) exec.call(this, 'PRAGMA synchronous = NORMAL');
	};
	try {
		return startFauxqs({ port: 0, logger: false, dataDir: directory });
	} finally {
		DatabaseSync.prototype.exec = exec;
	}
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
