import {
	ChangeMessageVisibilityCommand,
	DeleteMessageCommand,
	GetQueueAttributesCommand,
	type Message,
	type QueueAttributeName,
	ReceiveMessageCommand,
	SQSClient,
} from '@aws-sdk/client-sqs';
import { type AwsEnv, plainConfig } from '../../shared/adapters/aws/client/account.ts';
import { AwsFailure, codeOf } from '../../shared/adapters/aws/client/failure.ts';
import { WORKER_BUDGET } from '../../shared/adapters/aws/client/retry.ts';

type DeadLettersEnv = AwsEnv & {
	readonly AWS_ENDPOINT_URL_SQS?: string | undefined;
	readonly QUEUE_URL_DEAD_LETTERS: string;
};

/** A message that was put aside. */
export type DeadLetter = {
	readonly id: string;
	/** Proves that we hold it; good for one hold. */
	readonly receipt: string;
	readonly body: string;
	/** When it was first sent, in epoch milliseconds: its age counts from there. */
	readonly sent_at_ms: number;
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

export type DeadLetterQueue = ReturnType<typeof deadLetterQueue>;

/** The dead-letter queue, by the SDK's own client. A message that is not dropped comes back when its hold ends. Throws `AwsFailure`. */
export function deadLetterQueue(env: DeadLettersEnv) {
	const QueueUrl = env.QUEUE_URL_DEAD_LETTERS;
	const sqs = new SQSClient({
		...plainConfig(env.AWS_ENDPOINT_URL_SQS, env),
		useQueueUrlAsEndpoint: false,
		maxAttempts: WORKER_BUDGET.tries,
	});
	return {
		/** About how many messages there are, including those held. */
		async depth(): Promise<number> {
			const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: DEPTH });
			const { Attributes = {} } = await asked('GetQueueAttributes', sqs.send(command));
			return DEPTH.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
		},
		/** Receives up to 10 messages and hides them for `hold_seconds`; empty when the queue is. */
		async take(count: number, hold_seconds: number): Promise<readonly DeadLetter[]> {
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
		/** Deletes a message whose work is done. */
		async drop({ receipt }: DeadLetter): Promise<void> {
			await askedInTime('DeleteMessage', sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: receipt })));
		},
		/** Lets other operators take it again in a moment. */
		async release({ receipt }: DeadLetter): Promise<void> {
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
