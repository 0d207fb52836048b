import type { Messages, Outgoing, QueueName, Queues } from '../../ports/queues.ts';
import { type AwsClient, type AwsEnv, awsJsonClient } from '../aws/json-client.ts';
import { type Budget, withinBudget } from '../aws/retry.ts';

/** The environment's variable of each queue. A function has those of the queues it sends to. */
const urlNames = {
	'dial-legs': 'QUEUE_URL_DIAL_LEGS',
	'hang-up-legs': 'QUEUE_URL_HANG_UP_LEGS',
	'call-timers': 'QUEUE_URL_CALL_TIMERS',
	deliveries: 'QUEUE_URL_DELIVERIES',
	retries: 'QUEUE_URL_RETRIES',
	'team-notices': 'QUEUE_URL_TEAM_NOTICES',
	'dead-letters': 'QUEUE_URL_DEAD_LETTERS',
} as const satisfies Record<QueueName, string>;
type UrlName = (typeof urlNames)[QueueName];
export type QueuesEnv = AwsEnv & { readonly [N in UrlName]?: string | undefined } & {
	readonly AWS_ENDPOINT_URL_SQS?: string | undefined;
};

type Entry = { Id: string; MessageBody: string; DelaySeconds: number; MessageGroupId?: string };
type BatchAnswer = { readonly Failed?: readonly { readonly Id: string }[] };
type SqsOperations = {
	SendMessageBatch: { input: { QueueUrl: string; Entries: readonly Entry[] }; output: BatchAnswer };
};
type Sqs = AwsClient<SqsOperations, unknown>;

/** SQS takes at most so many in one request. */
const BATCH = 10;
/** What is not taken is found by the sweep, so nobody waits long for it. */
const BUDGET: Budget = { tries: 2, try_ms: 1000, total_ms: 1500 };

/** Hears of messages that were not taken: the sweep finds what they spoke of. */
export type OnLost = (queue: QueueName, count: number) => void;

/** The queues on SQS. */
export function sqsQueues(env: QueuesEnv, onLost: OnLost = () => undefined): Queues {
	const service = {
		name: 'sqs',
		target: 'AmazonSQS',
		json_version: '1.0',
		endpoint: env.AWS_ENDPOINT_URL_SQS,
	} as const;
	const sqs: Sqs = awsJsonClient(service, env);
	return {
		async send(queue, messages) {
			const url = env[urlNames[queue]];
			const entries = messages.map(toEntry);
			const batches = Array.from({ length: Math.ceil(entries.length / BATCH) }, (_, n) =>
				entries.slice(n * BATCH, (n + 1) * BATCH),
			);
			const lost = batches.map(async (batch) => (url === undefined ? batch.length : sendBatch(sqs, url, batch)));
			const failed = (await Promise.all(lost)).reduce((sum, n) => sum + n, 0);
			if (failed > 0) onLost(queue, failed);
			return { sent: messages.length - failed, failed };
		},
	};
}

function toEntry({ message, delay_seconds, group }: Outgoing<Messages[QueueName]>, position: number): Entry {
	const entry = { Id: String(position), MessageBody: JSON.stringify(message), DelaySeconds: delay_seconds };
	return group === null ? entry : { ...entry, MessageGroupId: group };
}

/** Sends what has not been taken yet, twice at most; resolves to how many were lost. */
async function sendBatch(sqs: Sqs, url: string, batch: readonly Entry[]): Promise<number> {
	let open = batch;
	await withinBudget(BUDGET, async (try_ms) => {
		const answer = await sqs.call('SendMessageBatch', { QueueUrl: url, Entries: open }, try_ms);
		if (answer.answer === 'ok') {
			const failed = new Set(answer.output.Failed?.map(({ Id }) => Id));
			open = open.filter(({ Id }) => failed.has(Id));
			if (open.length === 0) return { is: 'done', value: null };
		}
		return { is: 'again', code: 'not_taken' };
	});
	return open.length;
}
