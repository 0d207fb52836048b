import { once } from 'node:events';
import { startQueues } from '../../local/aws/queues.ts';
import { BATCH, FUNCTIONS } from '../tasks.ts';
import type { Handed } from './pump.ts';
import { task } from './report.ts';

// Acts as Lambda's event source: polls, passes on a batch, deletes it when it is done. Its processor time does not count
// for the function.

const { url, names, polled } = task<{
	readonly url: string;
	readonly names: readonly string[];
	readonly polled: string;
}>();
process.env['AWS_ENDPOINT_URL_SQS'] = url;
const queues = await startQueues('');
await queues.create(names.map((id) => ({ id, properties: {}, metadata: {} })));

const waiting = new Map<number, () => void>();
let last = 0;

async function poll(): Promise<never> {
	for (;;) {
		const messages = await queues.receive(polled, BATCH, new AbortController().signal);
		if (messages.length === 0) continue;
		last += 1;
		const batch = last;
		const handed: Handed = {
			batch,
			messages: messages.map(({ MessageId = '', Body = '' }) => ({ id: MessageId, body: Body })),
		};
		const done = new Promise<void>((resolve) => waiting.set(batch, resolve));
		process.send?.(handed);
		await done;
		await queues.remove(polled, messages);
	}
}

process.send?.('ready');
await once(process, 'message');
process.on('message', ({ batch }: { readonly batch: number }) => {
	waiting.get(batch)?.();
	waiting.delete(batch);
});
for (let n = 0; n < FUNCTIONS; n += 1) void poll();
