import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	CreateQueueCommand,
	DeleteMessageBatchCommand,
	ListQueuesCommand,
	type Message,
	ReceiveMessageCommand,
	SetQueueAttributesCommand,
	SQSClient,
} from '@aws-sdk/client-sqs';
import { OperatorError } from '../../ops/operator-error.ts';
import { QUEUES_PREFIX, QUEUES_SOCKET } from '../leftovers.ts';
import { ACCOUNT, type NamedResource } from '../template.ts';
import { LOCAL_CLIENT, type StandIn, standInEndpoint } from './stand-in.ts';

export type LocalQueues = {
	readonly at: StandIn;
	create(queues: readonly NamedResource[]): Promise<void>;
	/** Waits up to 20 s for messages. Returns those that arrive, even if there are fewer than `count`. */
	receive(queue: string, count: number, signal: AbortSignal): Promise<readonly Message[]>;
	remove(queue: string, messages: readonly Message[]): Promise<void>;
	stop(): Promise<void>;
};

const WAIT_SECONDS = 20;
const UNSIGNED = { sign: async <R>(request: R): Promise<R> => request };

/** Starts fauxqs, or uses the endpoint in AWS_ENDPOINT_URL_SQS or AWS_ENDPOINT_URL. */
export async function startQueues(directory: string): Promise<LocalQueues> {
	const endpoint = standInEndpoint('SQS');
	const own = endpoint ? null : await startPersistent(directory);
	const at = own ?? { url: endpoint ?? '' };
	// The stand-in reads only the last part of a queue's URL.
	const queueUrl = (name: string): string => `${endpoint ?? 'http://localhost'}/${ACCOUNT}/${name}`;

	const through = { keepAlive: true, socketPath: own?.socket };
	const sqs = new SQSClient({
		...LOCAL_CLIENT,
		useQueueUrlAsEndpoint: false,
		endpoint: endpoint ?? 'http://localhost',
		// The stand-in that this stack starts itself checks no signature and changes no message. So requests are not signed,
		// and messages are not checked.
		...(own && { requestHandler: { httpAgent: new Agent(through) }, signer: UNSIGNED, md5: false as const }),
	});
	async function exists(name: string): Promise<boolean> {
		const listing = sqs.send(new ListQueuesCommand({ QueueNamePrefix: name }));
		const { QueueUrls = [] } = await listing.catch((error: unknown) => {
			throw new OperatorError(`The queues' stand-in does not answer on ${endpoint}: ${String(error)}`);
		});
		return QueueUrls.some((url) => url.endsWith(`/${name}`));
	}

	return {
		at,
		async create(queues) {
			// Create dead-letter queues first, because other queues refer to them.
			const orderedQueues = [...queues].sort(
				(a, b) => Number('RedrivePolicy' in a.properties) - Number('RedrivePolicy' in b.properties),
			);
			for (const { id, properties } of orderedQueues) {
				const Attributes = attributesOf(properties);
				// If the queue exists, give it the attributes of the current template.
				if ((await exists(id)) && Object.keys(Attributes).length > 0) {
					await sqs.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl(id), Attributes }));
				} else {
					await sqs.send(new CreateQueueCommand({ QueueName: id, Attributes }));
				}
			}
		},
		async receive(queue, count, signal) {
			const input = {
				QueueUrl: queueUrl(queue),
				MaxNumberOfMessages: count,
				WaitTimeSeconds: WAIT_SECONDS,
				MessageSystemAttributeNames: ['All' as const],
			};
			const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(input), { abortSignal: signal });
			return Messages;
		},
		async remove(queue, messages) {
			if (messages.length === 0) return;
			const Entries = messages.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
			await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl(queue), Entries }));
		},
		async stop() {
			sqs.destroy();
			await own?.stop();
		},
	};
}

/**
 * Runs fauxqs on a Unix socket that only this user can open. Fauxqs checks no signature and accepts requests that an HTML
 * form can send. So if fauxqs listened on a port, any web page could send messages to fauxqs. The socket is not in the
 * state directory, because the path of a socket can have only about 100 characters.
 */
async function startPersistent(directory: string) {
	const folder = mkdtempSync(join(tmpdir(), QUEUES_PREFIX));
	const socket = join(folder, QUEUES_SOCKET);
	const clear = (): void => rmSync(folder, { recursive: true, force: true });
	// The module is imported only here, because loading it takes a while.
	const { fauxqs } = await import('./fauxqs.ts');
	try {
		const { app } = fauxqs(directory);
		await app.listen({ path: socket });
		return { socket, stop: () => app.close().finally(clear) };
	} catch (error) {
		clear();
		throw new OperatorError(`The queues' stand-in did not start on ${directory}: ${String(error)}`);
	}
}

const NUMBERS = [
	'DelaySeconds',
	'MaximumMessageSize',
	'MessageRetentionPeriod',
	'ReceiveMessageWaitTimeSeconds',
	'VisibilityTimeout',
] as const;

function attributesOf(properties: NamedResource['properties']): Record<string, string> {
	const { RedrivePolicy } = properties;
	const numbers = NUMBERS.flatMap((name) => (properties[name] === undefined ? [] : [[name, String(properties[name])]]));
	return {
		...Object.fromEntries(numbers),
		...(RedrivePolicy !== undefined && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
	};
}
