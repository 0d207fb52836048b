import {
	type SendMessageBatchRequestEntry as Entry,
	SendMessageBatch$,
	type SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import type { QueuesEnv } from '../../env.ts';
import { MAX_DELAY_SECONDS, type Outgoing, type Queues } from '../../ports/queues.ts';
import { type Messages, type QueueName, queueVariables } from '../../ports/registry.ts';
import { type AwsClient, awsClient, type Budget, withinBudget } from '../aws/client/client.ts';
import { plainJson } from '../aws/client/json.ts';
import { operation } from '../aws/client/operation.ts';

export const sendMessageBatch = operation<SendMessageBatchCommand>(SendMessageBatch$);

/** How many messages SQS allows in one request. */
const BATCH = 10;
/** A short budget, because the sweep does the work of most lost messages. */
const BUDGET: Budget = { tries: 2, try_ms: 1000, total_ms: 1500 };

/** How many messages SQS did not accept, and a code that says why for one of them. */
export type Loss = { readonly queue: QueueName; readonly count: number; readonly code: string };

/**
 * The protocol settings of the SDK's SQSClient, which does not export them (`runtimeConfig.shared`). We leave out
 * `errorTypeRegistries`, because we do not read the fields of errors.
 */
export const sqsProtocol = () =>
	new AwsJson1_0Protocol({
		defaultNamespace: 'com.amazonaws.sqs',
		serviceTarget: 'AmazonSQS',
		awsQueryCompatible: true,
		jsonCodec: plainJson(),
	});

const sqsClient = (env: QueuesEnv): AwsClient =>
	awsClient({ name: 'sqs', endpoint: env.AWS_ENDPOINT_URL_SQS, protocol: sqsProtocol() }, env);

export function sqsQueues(env: QueuesEnv, onLost: (loss: Loss) => void = () => undefined): Queues {
	const sqs = sqsClient(env);
	return {
		async send(queue, messages) {
			const url = env[queueVariables[queue]];
			const entries = messages.map((each, position) => toEntry(queue, each, position));
			const batches = Array.from({ length: Math.ceil(entries.length / BATCH) }, (_, n) =>
				entries.slice(n * BATCH, (n + 1) * BATCH),
			);
			const results = await Promise.all(batches.map((batch) => sendBatch(sqs, url, batch)));
			const losses = results.filter(({ count }) => count > 0);
			const failed = losses.reduce((sum, { count }) => sum + count, 0);
			const code = losses.at(-1)?.code;
			if (code !== undefined) onLost({ queue, count: failed, code });
			return { sent: messages.length - failed, failed };
		},
	};
}

/**
 * Throws `RangeError` for a message that SQS would refuse at every try. In that case, the code that sends the message has a
 * bug, which a retry would hide.
 */
function toEntry(queue: QueueName, outgoing: Outgoing<Messages[QueueName]>, position: number): Entry {
	const { message, delay_seconds, group } = outgoing;
	const MessageBody: unknown = JSON.stringify(message);
	if (typeof MessageBody !== 'string') throw new RangeError(`message to ${queue}: body: a JSON object`);
	const isWhole = Number.isInteger(delay_seconds);
	if (!isWhole || delay_seconds < 0 || delay_seconds > MAX_DELAY_SECONDS) {
		throw new RangeError(
			`message to ${queue}: delay_seconds: an integer from 0 to ${MAX_DELAY_SECONDS}, not ${delay_seconds}`,
		);
	}
	const entry = { Id: String(position), MessageBody, DelaySeconds: delay_seconds };
	return group === null ? entry : { ...entry, MessageGroupId: group };
}

/**
 * Sends a batch. If SQS does not accept some of the messages, this function tries once more to send these messages. Returns
 * how many messages are lost, and why.
 */
async function sendBatch(sqs: AwsClient, url: string | undefined, batch: Entry[]): Promise<Omit<Loss, 'queue'>> {
	if (url === undefined) return { count: batch.length, code: 'NoQueueUrl' };
	let open = batch;
	const attempt = async (tryMs: number): Promise<string> => {
		const result = await sqs.send(sendMessageBatch, { QueueUrl: url, Entries: open }, tryMs);
		if (result.outcome !== 'ok') return result.code;
		const failures = new Map(result.output.Failed?.map(({ Id, Code }) => [Id, Code]));
		open = open.filter(({ Id }) => failures.has(Id));
		const [first] = open;
		return first === undefined ? '' : (failures.get(first.Id) ?? 'NotTaken');
	};
	const code = await withinBudget(BUDGET, attempt, () => open.length === 0);
	return { count: open.length, code };
}
