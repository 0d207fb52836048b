import type { Message } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { LocalQueues } from '../aws/queues.ts';
import { type NamedResource, REGION } from '../template.ts';
import type { LocalFunction } from './functions.ts';

/**
 * Polls SQS queues in the same way as Lambda's event sources: with batches, partial failures, and a maximum of concurrent
 * functions.
 */
export type EventSources = { stop(): Promise<void> };

/**
 * There is one local poller for this many pollers of AWS, because all functions share the few processors of this machine. A
 * poller whose batch only waits (see `WAITING_MS`) is not counted here.
 */
const FOR_EACH_POLLER = 50;
const LEAST_POLLERS = 2;
/**
 * If a poller's batch waits, another poller may start. Together with the waiting pollers, there is at most one local poller for
 * this many pollers of AWS, because each waiting function takes 20 MB.
 */
const FOR_EACH_POLLER_AT_MOST = 10;
/** If a batch takes longer than this, its function is probably waiting for another machine and needs no processor. */
const WAITING_MS = 1000;
const BACK_OFF_MS = 200;
/**
 * For how long running batches may continue when polling stops. After that, the queue delivers the unfinished messages again,
 * as it does after a kill.
 */
const GRACE_MS = 1000;

type Source = {
	readonly queue: string;
	readonly arn: string;
	readonly batch: number;
	/** Whether the function reports which messages have failed (`ReportBatchItemFailures`). */
	readonly reports: boolean;
	readonly target: LocalFunction;
	readonly pollers: Pollers;
};
/**
 * How many batches of a source may run at the same time. `most` limits all of these batches together. `working` limits those
 * that have not run longer than `WAITING_MS`.
 */
type Pollers = { readonly working: number; readonly most: number };
/** Calls `run` after a time, unless the returned function is called first. */
export type After = (ms: number, run: () => void) => () => void;
const onClock: After = (ms, run) => {
	const timer = setTimeout(run, ms);
	return () => clearTimeout(timer);
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

function pollersOf({ ScalingConfig }: z.infer<typeof Mapping>): Pollers {
	const onAws = ScalingConfig?.MaximumConcurrency ?? 0;
	const share = (of: number): number => Math.max(LEAST_POLLERS, Math.ceil(onAws / of));
	return { working: share(FOR_EACH_POLLER), most: share(FOR_EACH_POLLER_AT_MOST) };
}

/**
 * The most batches that a function handles at the same time, from all of its queues together. The number is 0 if the
 * function reads no queue.
 */
export function batchesAtOnce(mappings: readonly NamedResource[], functionId: string): number {
	return mappings
		.map(({ properties }) => Mapping.parse(properties))
		.filter(({ FunctionName }) => FunctionName === functionId)
		.reduce((sum, mapping) => sum + pollersOf(mapping).most, 0);
}

export function startEventSources(
	mappings: readonly NamedResource[],
	functionById: (id: string) => LocalFunction,
	queues: Pick<LocalQueues, 'receive' | 'remove'>,
	after: After = onClock,
): EventSources {
	const stopping = new AbortController();
	const sources = mappings.map(({ properties }) => {
		const mapping = Mapping.parse(properties);
		const arn = mapping.EventSourceArn;
		const source: Source = {
			arn,
			queue: arn.split(':').at(-1) ?? '',
			batch: mapping.BatchSize ?? 10,
			reports: mapping.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
			target: functionById(mapping.FunctionName),
			pollers: pollersOf(mapping),
		};
		return pollSource(source, { queues, signal: stopping.signal, after });
	});
	return {
		async stop() {
			stopping.abort();
			const { promise: late, resolve: giveUp } = Promise.withResolvers<void>();
			const timer = setTimeout(giveUp, GRACE_MS);
			await Promise.race([Promise.all(sources), late]);
			clearTimeout(timer);
		},
	};
}

type Polling = {
	readonly queues: Pick<LocalQueues, 'receive' | 'remove'>;
	readonly signal: AbortSignal;
	readonly after: After;
};

/**
 * Polls until the signal is aborted. While a batch waits, for example for a receiver that does not answer, another poller
 * takes over. Otherwise, one slow message in each batch would delay the whole queue.
 */
async function pollSource(source: Source, { queues, signal, after }: Polling): Promise<void> {
	const { working, most } = source.pollers;
	const all = new Set<Promise<void>>();
	let atWork = 0;
	const start = (): void => {
		atWork += 1;
		const poller = poll().finally(() => all.delete(poller));
		all.add(poller);
	};
	async function poll(): Promise<void> {
		while (!signal.aborted) {
			try {
				const messages = await queues.receive(source.queue, Math.min(10, source.batch), signal);
				if (messages.length > 0 && !(await runBatch(messages))) return;
			} catch {
				if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, BACK_OFF_MS));
			}
		}
	}
	/**
	 * Returns whether this poller should receive another batch. False if the batch had to wait, and other pollers have taken
	 * its place.
	 */
	async function runBatch(messages: readonly Message[]): Promise<boolean> {
		let isWaiting = false;
		const cancel = after(WAITING_MS, () => {
			isWaiting = true;
			atWork -= 1;
			if (all.size < most && !signal.aborted) start();
		});
		const done = await handleBatch(source, messages);
		cancel();
		// If messages cannot be removed, the queue delivers them again.
		await queues.remove(source.queue, done).catch(() => undefined);
		if (!isWaiting) return true;
		if (atWork >= working) return false;
		atWork += 1;
		return true;
	}
	for (let n = 0; n < working; n += 1) start();
	while (all.size > 0) await Promise.all(all);
}

/**
 * Returns the messages that the function has handled. The queue delivers the other messages again after their visibility
 * time-out.
 */
async function handleBatch(source: Source, messages: readonly Message[]): Promise<readonly Message[]> {
	const result = await source.target.invoke({ Records: messages.map((message) => record(message, source.arn)) });
	if (result.invoked !== 'ok') return [];
	return source.reports ? messagesDone(messages, result.result) : messages;
}

/**
 * The messages of a batch without those that the function reports as failed. If the function reports nothing, none has
 * failed. If the report is malformed, or names a message that is not in the batch, the whole batch has failed (Lambda,
 * "Implementing partial batch responses").
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
