import type { DeadLetter, DeadLetterQueue } from '../../ports/dead-letters.ts';
import { type AwsEnv, awsJsonClient } from '../aws/json-client.ts';
import { WORKER_BUDGET, withinBudget } from '../aws/retry.ts';

export type DeadLettersEnv = AwsEnv & {
	readonly AWS_ENDPOINT_URL_SQS?: string | undefined;
	readonly QUEUE_URL_DEAD_LETTERS: string;
};

type Attributes = Readonly<Record<string, string>>;
type Received = {
	readonly MessageId: string;
	readonly ReceiptHandle: string;
	readonly Body: string;
	readonly Attributes?: Attributes;
};
type Queue = { readonly QueueUrl: string };
type SqsOperations = {
	ReceiveMessage: {
		input: Queue & {
			readonly MaxNumberOfMessages: number;
			readonly VisibilityTimeout: number;
			readonly WaitTimeSeconds: number;
			readonly MessageSystemAttributeNames: readonly string[];
		};
		output: { readonly Messages?: readonly Received[] };
	};
	DeleteMessage: { input: Queue & { readonly ReceiptHandle: string }; output: object };
	ChangeMessageVisibility: {
		input: Queue & { readonly ReceiptHandle: string; readonly VisibilityTimeout: number };
		output: object;
	};
	GetQueueAttributes: {
		input: Queue & { readonly AttributeNames: readonly string[] };
		output: { readonly Attributes?: Attributes };
	};
};

/** Long polling asks every server of the queue; a short poll may miss what is there. */
const WAIT_SECONDS = 1;
/** Not 0: with it, the queues of one machine lose a message until they start again. */
const RELEASE_SECONDS = 1;
/**
 * Somebody else holds or has deleted it meanwhile. The reference names the first two; for a message that is gone or not
 * held any more SQS answers the third.
 */
const LATE = ['ReceiptHandleIsInvalid', 'MessageNotInflight', 'InvalidParameterValue'];
/** `RequestThrottled`, `ThrottlingException`. */
const THROTTLED = /Throttl/;

/** The dead-letter queue on SQS. Throws when SQS does not take an operation within the budget. */
export function sqsDeadLetters(env: DeadLettersEnv): DeadLetterQueue {
	const QueueUrl = env.QUEUE_URL_DEAD_LETTERS;
	const service = {
		name: 'sqs',
		target: 'AmazonSQS',
		json_version: '1.0',
		endpoint: env.AWS_ENDPOINT_URL_SQS,
	} as const;
	const sqs = awsJsonClient<SqsOperations>(service, env);
	async function call<K extends keyof SqsOperations>(
		operation: K,
		input: SqsOperations[K]['input'],
	): Promise<SqsOperations[K]['output'] | null> {
		const result = await withinBudget(WORKER_BUDGET, async (try_ms) => {
			const answer = await sqs.call(operation, input, try_ms + WAIT_SECONDS * 1000);
			const again = answer.answer === 'unclear' || (answer.answer === 'refused' && THROTTLED.test(answer.code));
			return again ? { is: 'again', code: answer.code } : { is: 'done', value: answer };
		});
		if (result.is === 'spent') throw new Error(`sqs: ${operation} failed with ${result.code}`);
		if (result.value.answer === 'ok') return result.value.output;
		const { code } = result.value;
		// Theirs to see to.
		if ('ReceiptHandle' in input && LATE.some((late) => code.startsWith(late))) return null;
		throw new Error(`sqs: ${operation} refused with ${code}`);
	}
	return {
		async depth() {
			const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'];
			const counts = (await call('GetQueueAttributes', { QueueUrl, AttributeNames }))?.Attributes ?? {};
			return AttributeNames.reduce((sum, name) => sum + Number(counts[name] ?? 0), 0);
		},
		async take(count, hold_seconds) {
			const answer = await call('ReceiveMessage', {
				QueueUrl,
				MaxNumberOfMessages: count,
				VisibilityTimeout: hold_seconds,
				WaitTimeSeconds: WAIT_SECONDS,
				MessageSystemAttributeNames: ['SentTimestamp'],
			});
			return (answer?.Messages ?? []).map(toLetter);
		},
		async drop({ receipt }) {
			await call('DeleteMessage', { QueueUrl, ReceiptHandle: receipt });
		},
		async release({ receipt }) {
			await call('ChangeMessageVisibility', { QueueUrl, ReceiptHandle: receipt, VisibilityTimeout: RELEASE_SECONDS });
		},
	};
}

function toLetter({ MessageId, ReceiptHandle, Body, Attributes = {} }: Received): DeadLetter {
	return { id: MessageId, receipt: ReceiptHandle, body: Body, sent_at_ms: Number(Attributes['SentTimestamp'] ?? 0) };
}
