import { once } from 'node:events';
import {
	DeleteMessageBatch$,
	type DeleteMessageBatchCommand,
	ReceiveMessage$,
	type ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { startQueues } from '../../local/aws/queues.ts';
import { awsClient } from '../../shared/adapters/aws/client/client.ts';
import { operation } from '../../shared/adapters/aws/client/operation.ts';
import { sqsProtocol } from '../../shared/adapters/sqs/queues.ts';
import type { AwsEnv } from '../../shared/env.ts';
import { BATCH, FUNCTIONS } from '../tasks.ts';
import type { Handed } from './pump.ts';
import { task } from './report.ts';

// Acts as Lambda's event source: polls, passes on a batch, deletes it when it is done. Its processor time does not count
// for the function, but it is on the way of every message and shares the processors: so it polls with the client of the
// functions, which takes less than the SDK's own.

const { url, aws, names, polled } = task<{
	readonly url: string;
	readonly aws: AwsEnv;
	readonly names: readonly string[];
	readonly polled: string;
}>();
process.env['AWS_ENDPOINT_URL_SQS'] = url;
await (await startQueues('')).create(names.map((id) => ({ id, properties: {}, metadata: {} })));
const sqs = awsClient({ name: 'sqs', endpoint: url, protocol: sqsProtocol() }, aws);
const receiveMessage = operation<ReceiveMessageCommand>(ReceiveMessage$);
const deleteBatch = operation<DeleteMessageBatchCommand>(DeleteMessageBatch$);
const QueueUrl = `${url}/000000000000/${polled}`;
const POLL_SECONDS = 20;

const waiting = new Map<number, () => void>();
let last = 0;

async function poll(): Promise<never> {
	for (;;) {
		const asked = { QueueUrl, MaxNumberOfMessages: BATCH, WaitTimeSeconds: POLL_SECONDS };
		const received = await sqs.send(receiveMessage, asked, (POLL_SECONDS + 5) * 1000);
		const messages = received.answer === 'ok' ? (received.output.Messages ?? []) : [];
		if (messages.length === 0) continue;
		last += 1;
		const batch = last;
		const handed: Handed = {
			batch,
			messages: messages.map(({ MessageId = '', Body = '' }) => ({ id: MessageId, body: Body })),
		};
		const done = new Promise<void>((resolve) => waiting.set(batch, resolve));
		process.send?.(handed);
		await done;
		const Entries = messages.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
		await sqs.send(deleteBatch, { QueueUrl, Entries }, 5000);
	}
}

process.send?.('ready');
await once(process, 'message');
process.on('message', ({ batch }: { readonly batch: number }) => {
	waiting.get(batch)?.();
	waiting.delete(batch);
});
for (let n = 0; n < FUNCTIONS; n += 1) void poll();
