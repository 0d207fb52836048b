import type { SQSEvent } from 'aws-lambda';
import { fairBatches } from '../../local/fair-batches.ts';
import { type Message, startQueues } from '../../local/queues.ts';
import { sqsQueues } from '../../shared/adapters/sqs/queues.ts';
import type { Queues } from '../../shared/ports/queues.ts';
import { testAws } from '../../test/support/stand-ins.ts';
import { BATCH, FUNCTIONS, type Where } from '../tasks.ts';

type Handler = (event: SQSEvent) => Promise<unknown>;
/** A queue, and what Lambda does: so many functions at a time, each with a batch. */
export type Pump = { readonly queues: Queues; start(handler: Handler): void };

export async function pumpOf(where: Where): Promise<Pump> {
	return where.where === 'memory' ? memoryPump() : sqsPump(where.sqs_url);
}

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
				turn();
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

/** The same on the stand-in of SQS, over HTTP. */
async function sqsPump(url: string): Promise<Pump> {
	process.env['AWS_ENDPOINT_URL_SQS'] = url;
	const stand_in = await startQueues('');
	const names = ['deliveries', 'retries', 'dead-letters'];
	await stand_in.create(names.map((id) => ({ id, properties: {}, metadata: {} })));
	const urlOf = (name: string): string => `${url}/000000000000/${name}`;
	const queues = sqsQueues({
		...testAws,
		AWS_ENDPOINT_URL_SQS: url,
		QUEUE_URL_DELIVERIES: urlOf('deliveries'),
		QUEUE_URL_RETRIES: urlOf('retries'),
		QUEUE_URL_DEAD_LETTERS: urlOf('dead-letters'),
	});
	const poll = async (handler: Handler): Promise<never> => {
		for (;;) {
			const messages: readonly Message[] = await stand_in.receive('deliveries', BATCH, new AbortController().signal);
			if (messages.length === 0) continue;
			await handler(eventOf(messages.map(({ MessageId, Body }) => ({ id: MessageId, body: Body }))));
			await stand_in.remove('deliveries', messages);
		}
	};
	return {
		queues,
		start(handler) {
			for (let n = 0; n < FUNCTIONS; n += 1) void poll(handler);
		},
	};
}

/** As Lambda hands it over; what the handler does not read is left empty. */
function eventOf(messages: readonly { readonly id: string; readonly body: string }[]): SQSEvent {
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
