import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SQSEvent } from 'aws-lambda';
import { fairBatches } from '../../local/aws/fair-batches.ts';
import { sqsQueues } from '../../shared/adapters/sqs/queues.ts';
import type { Queues } from '../../shared/ports/queues.ts';
import type { QueueName } from '../../shared/ports/registry.ts';
import { testAws } from '../../test/support/aws/stand-ins.ts';
import { BATCH, FUNCTIONS, type Where } from '../tasks.ts';

type Handler = (event: SQSEvent) => Promise<unknown>;
/** A queue and its event source: invokes up to a number of functions at once, each with a batch. */
export type Pump = { readonly queues: Queues; start(handler: Handler): void };

export async function pumpOf(where: Where): Promise<Pump> {
	return where.where === 'memory' ? memoryPump() : sqsPump(where.sqs_url);
}

/** A batch for a function, and what to call it when it is done. */
export type Handed = {
	readonly batch: number;
	readonly messages: readonly { readonly id: string; readonly body: string }[];
};

type Entry = { readonly body: string; readonly group: string | null };

function memoryPump(): Pump {
	const waiting = fairBatches<Entry>(({ group }) => group);
	let handler: Handler | null = null;
	let busy = 0;

	function turn(): void {
		while (handler !== null && busy < FUNCTIONS) {
			const batch = waiting.take(BATCH);
			if (batch.length === 0) return;
			busy += 1;
			void handler(eventOf(batch.map(({ body }, n) => ({ id: String(n), body })))).then(() => {
				busy -= 1;
				waiting.done(batch);
				// Start each batch in its own turn of the event loop, as Lambda polls SQS for the next batch. Otherwise functions
				// that wait for memory only would empty a whole queue before this process does anything else.
				setImmediate(turn);
			});
		}
	}
	return {
		queues: {
			async send(_queue, messages) {
				for (const { message, delay_seconds, group } of messages) {
					const entry = { body: JSON.stringify(message), group };
					const add = (): void => {
						waiting.add([entry]);
						turn();
					};
					if (delay_seconds > 0) setTimeout(add, delay_seconds * 1000);
					else add();
				}
				return { sent: messages.length, failed: 0 };
			},
		},
		start(run) {
			handler = run;
			turn();
		},
	};
}

/** The same with the stand-in of SQS, over HTTP. A separate process polls it, as with Lambda. */
async function sqsPump(url: string): Promise<Pump> {
	// Uses its own queues, because a stand-in would still deliver messages to the polls of an ended process.
	const queueNameOf = (name: QueueName): string => `${name}-${process.pid}`;
	const names = (['deliveries', 'retries', 'dead-letters'] as const).map(queueNameOf);
	const event_source = fork(fileURLToPath(new URL('./event-source.ts', import.meta.url)), [
		JSON.stringify({ url, aws: testAws, names, polled: queueNameOf('deliveries') }),
	]);
	await once(event_source, 'message');
	process.once('exit', () => event_source.kill());
	const urlOf = (name: QueueName): string => `${url}/000000000000/${queueNameOf(name)}`;
	const queues = sqsQueues({
		...testAws,
		AWS_ENDPOINT_URL_SQS: url,
		QUEUE_URL_DELIVERIES: urlOf('deliveries'),
		QUEUE_URL_RETRIES: urlOf('retries'),
		QUEUE_URL_DEAD_LETTERS: urlOf('dead-letters'),
	});
	return {
		queues,
		start(handler) {
			event_source.on('message', ({ batch, messages }: Handed) => {
				void handler(eventOf(messages)).then(() => event_source.send({ batch }));
			});
			event_source.send('start');
		},
	};
}

/** The event as Lambda passes it; fields that the handler does not read are empty. */
export function eventOf(messages: readonly { readonly id: string; readonly body: string }[]): SQSEvent {
	return {
		Records: messages.map(({ id, body }) => ({
			messageId: id,
			body,
			receiptHandle: '',
			attributes: {
				ApproximateReceiveCount: '1',
				SentTimestamp: '',
				SenderId: '',
				ApproximateFirstReceiveTimestamp: '',
			},
			messageAttributes: {},
			md5OfBody: '',
			eventSource: 'aws:sqs',
			eventSourceARN: '',
			awsRegion: 'us-east-1',
		})),
	};
}
