import type { SQSEvent } from 'aws-lambda';
import { fairBatches } from '../../../local/aws/fair-batches.ts';
import type { Queues } from '../../../shared/ports/queues.ts';
import { BATCH, FUNCTIONS } from '../tasks.ts';

type Handler = (event: SQSEvent) => Promise<unknown>;
/** A queue and its event source: invokes up to a number of functions at once, each with a batch. */
export type Pump = { readonly queues: Queues; start(handler: Handler): void };

type Entry = { readonly body: string; readonly group: string | null };

/** A queue in memory and its event source: a delivery's own processor time does not depend on them. */
export function memoryPump(): Pump {
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
