import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '../../../../shared/adapters/clock.ts';
import { dynamoStore } from '../../../../shared/adapters/dynamodb/store.ts';
import { httpsSender } from '../../../../shared/adapters/https/sender.ts';
import { ulidIds } from '../../../../shared/adapters/ids.ts';
import { jsonLog } from '../../../../shared/adapters/log.ts';
import { makeEvent } from '../../../../shared/domain/webhooks/event.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../../../shared/domain/webhooks/retry-schedule.ts';
import { consume } from '../../../../shared/messages/consume.ts';
import { messageSchemas } from '../../../../shared/messages/schemas.ts';
import type { DeliveryMessage } from '../../../../shared/ports/registry.ts';
import { disabledNoticeWrites } from '../../../../shared/use-cases/notices/endpoint-notice.ts';
import { attemptDelivery } from '../../../../shared/use-cases/webhooks/attempt-delivery.ts';
import { publish } from '../../../../shared/use-cases/webhooks/event-outbox.ts';
import { memoryStore } from '../../../support/memory-store.ts';
import { samples } from '../../../support/sample-records.ts';
import { put } from '../../../support/writes.ts';
import { BATCH, FUNCTIONS, measured, paced, report, task } from './report.ts';

// Runs our deliveries from the committed event to the record of the attempt. This is the work of the function that delivers,
// without SQS and KMS.

const { target, run, dynamo } = task();
const store = dynamo === undefined ? memoryStore() : dynamoStore(dynamo);
const log = jsonLog({ operation: 'deliver-webhook' });
const deps = {
	store,
	log,
	sender: httpsSender({ allowed_webhook_hosts: [target.host], trusted_ca_pem: target.ca_pem }),
	queues: { send: later },
	clock: systemClock,
	ids: ulidIds,
	vault: { openSecret: async () => target.secret },
	schedule_seconds: RETRY_SCHEDULE_SECONDS,
	whenDisabled: disabledNoticeWrites,
};
const deliver = (message: DeliveryMessage) => attemptDelivery(message, deps);
const handler = consume('deliver-webhook', messageSchemas.deliveries, log, deliver);

const ids = { id: ulidIds.next(), workspace_id: ulidIds.next() };
const endpoint = { ...samples.webhook_endpoint, ...ids, url: target.url, events: ['call.completed'] as const };
await store.commit([put('webhook_endpoint', endpoint)]);

/** Commits an event and its delivery. Returns the event's id and the message for the attempt. */
async function committed() {
	const id = ulidIds.next();
	const subject_id = ulidIds.next();
	const { workspace_id } = endpoint;
	const data = { id: subject_id, workspace_id, status: 'completed', duration_seconds: 42 };
	const { writes, messages } = publish(
		makeEvent({
			id,
			workspace_id,
			subject_id,
			kind: 'call.completed',
			sequence: 4,
			created_at: new Date().toISOString(),
			data,
		}),
		[endpoint],
	);
	await store.commit(writes);
	return { id, messages };
}

type Queue = Awaited<ReturnType<typeof committed>>['messages'][number][];

async function queued(count: number): Promise<Queue> {
	const queue: Queue = [];
	while (queue.length < count) queue.push(...(await committed()).messages);
	return queue;
}

/** Delivers retry messages after their delay. */
async function later(
	_queue: string,
	messages: readonly { readonly message: object; readonly delay_seconds: number }[],
) {
	for (const each of messages) setTimeout(() => void handle([each]), each.delay_seconds * 1000);
	return { sent: messages.length, failed: 0 };
}

/**
 * Invokes the functions until the queue is empty. Each batch starts in a new turn of the event loop, as it would after Lambda's
 * next poll.
 */
async function deliverAll(queue: Queue): Promise<void> {
	const work = async (): Promise<void> => {
		while (queue.length > 0) {
			await handle(queue.splice(0, BATCH));
			await nextTurn();
		}
	};
	await Promise.all(Array.from({ length: FUNCTIONS }, work));
}

async function handle(batch: readonly { readonly message: object }[]): Promise<void> {
	const Records = batch.map(({ message }, n) => ({ messageId: String(n), body: JSON.stringify(message) }));
	if ((await handler({ Records })).batchItemFailures.length > 0) throw new Error('a message failed');
}

if (run.mode === 'paced') {
	const post = async (): Promise<string> => {
		const { id, messages } = await committed();
		await handle(messages);
		return id;
	};
	report(await paced(run, post));
} else if (run.mode === 'burst') {
	await deliverAll(await queued(run.warm_up));
	const queue = await queued(run.count);
	report(await measured(() => deliverAll(queue)));
} else {
	const queue = await queued(run.waiting);
	report(null);
	await deliverAll(queue);
}
