import {
	ChangeMessageVisibilityCommand,
	DeleteMessageCommand,
	GetQueueAttributesCommand,
	type Message,
	type QueueAttributeName,
	ReceiveMessageCommand,
	SQSClient,
} from '@aws-sdk/client-sqs';
import { plainConfig } from '../../shared/adapters/aws/client/account.ts';
import { WORKER_BUDGET } from '../../shared/adapters/aws/client/client.ts';
import { AwsFailure, codeOf } from '../../shared/adapters/aws/client/failure.ts';
import type { QueuesEnv } from '../../shared/env.ts';

type DeadLettersEnv = QueuesEnv & { readonly QUEUE_URL_DEAD_LETTERS: string };

export type DeadLetter = {
	readonly id: string;
	/** Needed to delete or release the message. The receipt is valid only as long as this process holds the message. */
	readonly receipt: string;
	readonly body: string;
	/** When the message was first sent, in epoch milliseconds. The age of the message counts from this time. */
	readonly sent_at_ms: number;
};

/**
 * For how long a request waits for messages. With a wait, SQS asks every one of its servers. Without a wait, SQS may miss
 * messages.
 */
const WAIT_SECONDS = 1;
/**
 * After how many seconds a released message is visible again. The number is not 0: with 0, the queues of the local stack
 * would deliver the message again only after their next start.
 */
const RELEASE_SECONDS = 1;
/**
 * Codes which mean that another process holds the message, or has deleted it. SQS's reference documents the first two
 * codes. SQS returns the third code for a message that was deleted or is no longer held.
 */
const LATE = ['ReceiptHandleIsInvalid', 'MessageNotInflight', 'InvalidParameterValue'];
const DEPTH: QueueAttributeName[] = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'];

export type DeadLetterQueue = ReturnType<typeof deadLetterQueue>;

/**
 * The dead-letter queue. A message that was received and not deleted becomes visible again when its hold ends. Throws
 * `AwsFailure`.
 */
export function deadLetterQueue(env: DeadLettersEnv) {
	const QueueUrl = env.QUEUE_URL_DEAD_LETTERS;
	const sqs = new SQSClient({
		...plainConfig(env.AWS_ENDPOINT_URL_SQS, env),
		useQueueUrlAsEndpoint: false,
		maxAttempts: WORKER_BUDGET.tries,
	});
	return {
		/** The approximate number of messages in the queue, including those that are held. */
		async depth(): Promise<number> {
			const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: DEPTH });
			const { Attributes = {} } = await resultOf('GetQueueAttributes', sqs.send(command));
			return DEPTH.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
		},
		/**
		 * Receives up to `count` messages (at most 10) and hides them for `holdSeconds`. If the queue is empty, the result is
		 * empty.
		 */
		async take(count: number, holdSeconds: number): Promise<readonly DeadLetter[]> {
			const command = new ReceiveMessageCommand({
				QueueUrl,
				MaxNumberOfMessages: count,
				VisibilityTimeout: holdSeconds,
				WaitTimeSeconds: WAIT_SECONDS,
				MessageSystemAttributeNames: ['SentTimestamp'],
			});
			const { Messages = [] } = await resultOf('ReceiveMessage', sqs.send(command));
			return Messages.map(toLetter);
		},
		async drop({ receipt }: DeadLetter): Promise<void> {
			await askedInTime('DeleteMessage', sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: receipt })));
		},
		/** Makes the message visible to other operators again after a moment. */
		async release({ receipt }: DeadLetter): Promise<void> {
			const input = { QueueUrl, ReceiptHandle: receipt, VisibilityTimeout: RELEASE_SECONDS };
			await askedInTime('ChangeMessageVisibility', sqs.send(new ChangeMessageVisibilityCommand(input)));
		},
	};
}

async function resultOf<T>(operation: string, result: Promise<T>): Promise<T> {
	try {
		return await result;
	} catch (error) {
		throw new AwsFailure('sqs', operation, codeOf(error));
	}
}

/**
 * Waits for an operation on a message that this process holds. If SQS says that the operation is too late, that is not an error,
 * because another process may hold the message by then.
 */
async function askedInTime(operation: string, result: Promise<unknown>): Promise<void> {
	try {
		await resultOf(operation, result);
	} catch (error) {
		if (!LATE.some((late) => codeOf(error).startsWith(late))) throw error;
	}
}

function toLetter({ MessageId = '', ReceiptHandle = '', Body = '', Attributes = {} }: Message): DeadLetter {
	return { id: MessageId, receipt: ReceiptHandle, body: Body, sent_at_ms: Number(Attributes.SentTimestamp ?? 0) };
}
