import type { Message } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { LocalQueues } from '../aws/queues.ts';
import { type NamedResource, REGION } from '../template.ts';
import type { LocalFunction } from './functions.ts';

/** SQS event sources, as Lambda polls them: batches, partial failures, a maximum of functions at the same time. */
export type EventSources = { stop(): Promise<void> };

/** One local poller replaces this many of AWS, because all functions share the few processors of this machine. */
const FOR_EACH_POLLER = 50;
/** At least two, as on Lambda: one may wait for a receiver that hangs while the other continues with the queue. */
const LEAST_POLLERS = 2;
const BACK_OFF_MS = 200;
/** Time for running batches when the source stops. The queue redelivers unfinished messages, as after a kill. */
const GRACE_MS = 1000;

type Source = {
	readonly queue: string;
	readonly arn: string;
	readonly batch: number;
	/** Whether the function says which messages failed (`ReportBatchItemFailures`). */
	readonly reports: boolean;
	readonly target: LocalFunction;
};

const Mapping = z.object({
	EventSourceArn: z.string(),
	FunctionName: z.string(),
	BatchSize: z.optional(z.number()),
	FunctionResponseTypes: z.optional(z.array(z.string())),
	ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.coerce.number() })),
});
const BatchResponse = z.object({
	batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string() }))),
});

/** How many batches of a source run at the same time: a part of its maximum concurrency on AWS. */
function pollersOf({ ScalingConfig }: z.infer<typeof Mapping>): number {
	return Math.max(LEAST_POLLERS, Math.ceil((ScalingConfig?.MaximumConcurrency ?? 0) / FOR_EACH_POLLER));
}

/** How many batches a function processes at the same time, from all its sources; 0: it reads no queue. */
export function batchesAtOnce(mappings: readonly NamedResource[], function_id: string): number {
	return mappings
		.map(({ properties }) => Mapping.parse(properties))
		.filter(({ FunctionName }) => FunctionName === function_id)
		.reduce((sum, mapping) => sum + pollersOf(mapping), 0);
}

export function startEventSources(
	mappings: readonly NamedResource[],
	functionById: (id: string) => LocalFunction,
	queues: LocalQueues,
): EventSources {
	const stopping = new AbortController();
	const pollers = mappings.flatMap(({ properties }) => {
		const mapping = Mapping.parse(properties);
		const arn = mapping.EventSourceArn;
		const source: Source = {
			arn,
			queue: arn.split(':').at(-1) ?? '',
			batch: mapping.BatchSize ?? 10,
			reports: mapping.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
			target: functionById(mapping.FunctionName),
		};
		return Array.from({ length: pollersOf(mapping) }, () => poll(source, queues, stopping.signal));
	});
	return {
		async stop() {
			stopping.abort();
			const { promise: late, resolve: giveUp } = Promise.withResolvers<void>();
			const timer = setTimeout(giveUp, GRACE_MS);
			await Promise.race([Promise.all(pollers), late]);
			clearTimeout(timer);
		},
	};
}

async function poll(source: Source, queues: LocalQueues, signal: AbortSignal): Promise<void> {
	while (!signal.aborted) {
		try {
			const messages = await queues.receive(source.queue, Math.min(10, source.batch), signal);
			if (messages.length > 0) await queues.remove(source.queue, await handleBatch(source, messages));
		} catch {
			if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, BACK_OFF_MS));
		}
	}
}

/** The messages that the function processed; SQS redelivers the others after their visibility time-out. */
async function handleBatch(source: Source, messages: readonly Message[]): Promise<readonly Message[]> {
	const result = await source.target.invoke({ Records: messages.map((message) => record(message, source.arn)) });
	if (result.invoked !== 'ok') return [];
	return source.reports ? messagesDone(messages, result.result) : messages;
}

/**
 * Removes the failures that a function reports. An empty result is a success. A malformed report, or one that names a
 * message outside the batch, fails the whole batch (Lambda, "Implementing partial batch responses").
 */
export function messagesDone<M extends Pick<Message, 'MessageId'>>(
	messages: readonly M[],
	result: unknown,
): readonly M[] {
	if (result === null || result === undefined) return messages;
	const response = BatchResponse.safeParse(result);
	if (!response.success) return [];
	const failedIds = new Set(response.data.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
	const finished = messages.filter(({ MessageId = '' }) => !failedIds.has(MessageId));
	return finished.length + failedIds.size === messages.length ? finished : [];
}

function record(message: Message, arn: string): object {
	return {
		messageId: message.MessageId,
		receiptHandle: message.ReceiptHandle,
		body: message.Body,
		attributes: message.Attributes ?? {},
		messageAttributes: {},
		eventSource: 'aws:sqs',
		eventSourceARN: arn,
		awsRegion: REGION,
	};
}
