import {
	ChangeMessageVisibilityCommand,
	DeleteMessageCommand,
	GetQueueAttributesCommand,
	type Message,
	type QueueAttributeName,
	ReceiveMessageCommand,
	SQSClient,
} from '@aws-sdk/client-sqs';
import type { DeadLetter, DeadLetterQueue } from '../../ports/dead-letters.ts';
import { type AwsEnv, plainConfig } from '../aws/client/account.ts';
import { AwsFailure, codeOf } from '../aws/client/failure.ts';
import { WORKER_BUDGET } from '../aws/client/retry.ts';

export type DeadLettersEnv = AwsEnv & {
	readonly AWS_ENDPOINT_URL_SQS?: string | undefined;
	readonly QUEUE_URL_DEAD_LETTERS: string;
};

/** Long polling asks every server of the queue; a short poll may miss what is there. */
const WAIT_SECONDS = 1;
/** Not 0: with it, the queues of one machine lose a message until they start again. */
const RELEASE_SECONDS = 1;
/**
 * Another process holds or has deleted it meanwhile. The reference names the first two; for a message that is gone or not
 * held any more SQS answers the third.
 */
const LATE = ['ReceiptHandleIsInvalid', 'MessageNotInflight', 'InvalidParameterValue'];
const DEPTH: QueueAttributeName[] = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'];

/** The dead-letter queue on SQS, by the SDK's own client. Throws `AwsFailure` when SQS does not take an operation. */
export function sqsDeadLetters(env: DeadLettersEnv): DeadLetterQueue {
	const QueueUrl = env.QUEUE_URL_DEAD_LETTERS;
	const sqs = new SQSClient({
		...plainConfig(env.AWS_ENDPOINT_URL_SQS, env),
		useQueueUrlAsEndpoint: false,
		maxAttempts: WORKER_BUDGET.tries,
	});
	return {
		async depth() {
			const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: DEPTH });
			const { Attributes = {} } = await asked('GetQueueAttributes', sqs.send(command));
			return DEPTH.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
		},
		async take(count, hold_seconds) {
			const command = new ReceiveMessageCommand({
				QueueUrl,
				MaxNumberOfMessages: count,
				VisibilityTimeout: hold_seconds,
				WaitTimeSeconds: WAIT_SECONDS,
				MessageSystemAttributeNames: ['SentTimestamp'],
			});
			const { Messages = [] } = await asked('ReceiveMessage', sqs.send(command));
			return Messages.map(toLetter);
		},
		async drop({ receipt }) {
			await askedInTime('DeleteMessage', sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: receipt })));
		},
		async release({ receipt }) {
			const input = { QueueUrl, ReceiptHandle: receipt, VisibilityTimeout: RELEASE_SECONDS };
			await askedInTime('ChangeMessageVisibility', sqs.send(new ChangeMessageVisibilityCommand(input)));
		},
	};
}

async function asked<T>(operation: string, answer: Promise<T>): Promise<T> {
	try {
		return await answer;
	} catch (error) {
		throw new AwsFailure('sqs', operation, codeOf(error));
	}
}

/** The same for a message that this process holds. If it came too late, the message is another process's by now. */
async function askedInTime(operation: string, answer: Promise<unknown>): Promise<void> {
	try {
		await asked(operation, answer);
	} catch (error) {
		if (!LATE.some((late) => codeOf(error).startsWith(late))) throw error;
	}
}

function toLetter({ MessageId = '', ReceiptHandle = '', Body = '', Attributes = {} }: Message): DeadLetter {
	return { id: MessageId, receipt: ReceiptHandle, body: Body, sent_at_ms: Number(Attributes.SentTimestamp ?? 0) };
}
