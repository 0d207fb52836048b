import type { LocalFunction } from './functions.ts';
import type { LocalQueues, Message } from './queues.ts';
import { type Named, REGION } from './template.ts';

/** SQS event sources, as Lambda polls them: batches, partial failures, a maximum of functions at the same time. */
export type EventSources = { stop(): Promise<void> };

/** Pollers of a source on one machine, at most: the maximum concurrency of the template counts beyond it. */
const POLLERS = 4;
const BACK_OFF_MS = 200;

type Source = { readonly queue: string; readonly arn: string; readonly batch: number; readonly target: LocalFunction };
type BatchResponse = { readonly batchItemFailures?: readonly { readonly itemIdentifier: string }[] } | null;

export function startEventSources(
	mappings: readonly Named[],
	functionById: (id: string) => LocalFunction,
	queues: LocalQueues,
): EventSources {
	const stopping = new AbortController();
	const pollers = mappings.flatMap(({ properties }) => {
		const arn = String(properties['EventSourceArn']);
		const scaling = properties['ScalingConfig'] as { readonly MaximumConcurrency?: number } | undefined;
		const source: Source = {
			arn,
			queue: arn.split(':').at(-1) ?? '',
			batch: Number(properties['BatchSize'] ?? 10),
			target: functionById(String(properties['FunctionName'])),
		};
		const count = Math.min(POLLERS, scaling?.MaximumConcurrency ?? POLLERS);
		return Array.from({ length: count }, () => poll(source, queues, stopping.signal));
	});
	return {
		async stop() {
			stopping.abort();
			await Promise.all(pollers);
		},
	};
}

async function poll(source: Source, queues: LocalQueues, signal: AbortSignal): Promise<void> {
	while (!signal.aborted) {
		try {
			const messages = await queues.receive(source.queue, Math.min(10, source.batch), signal);
			if (messages.length > 0) await queues.remove(source.queue, await handled(source, messages));
		} catch {
			if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, BACK_OFF_MS));
		}
	}
}

/** The messages that the function took; the others come again when their visibility time-out is over. */
async function handled(source: Source, messages: readonly Message[]): Promise<readonly Message[]> {
	const invoked = await source.target.invoke({ Records: messages.map((message) => record(message, source.arn)) });
	if (invoked.invoked !== 'ok') return [];
	const response = invoked.result as BatchResponse;
	const failed = new Set(response?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
	return messages.filter(({ MessageId }) => !failed.has(MessageId));
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
