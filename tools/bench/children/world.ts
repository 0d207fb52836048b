import type { SQSEvent } from 'aws-lambda';
import { dynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { httpsSender } from '../../../shared/adapters/https/sender.ts';
import { systemClock } from '../../../shared/adapters/system/clock.ts';
import { ulidIds } from '../../../shared/adapters/system/ids.ts';
import { jsonLog } from '../../../shared/adapters/system/log.ts';
import { HEALTHY } from '../../../shared/domain/webhooks/endpoint-health.ts';
import { type Event, makeEvent } from '../../../shared/domain/webhooks/event.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../../shared/domain/webhooks/retry-schedule.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { consume } from '../../../shared/messages/consume.ts';
import { messageSchemas } from '../../../shared/messages/schemas.ts';
import type { Outgoing } from '../../../shared/ports/queues.ts';
import type { DeliveryMessage } from '../../../shared/ports/registry.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { disabledNoticeWrites } from '../../../shared/use-cases/leads/endpoint-notice.ts';
import { attemptDelivery } from '../../../shared/use-cases/webhooks/attempt/attempt-delivery.ts';
import { publish } from '../../../shared/use-cases/webhooks/publish-event.ts';
import { testAws } from '../../../test/support/aws/stand-ins.ts';
import { memoryStore } from '../../../test/support/memory-store.ts';
import { BATCH, type Target, type Where } from '../tasks.ts';
import { eventOf, memoryPump } from './pump.ts';

const WORKSPACE = ulidIds.next();

function storeOf(where: Where): Store {
	if (where.where === 'memory') return memoryStore();
	return dynamoStore({ ...testAws, TABLE_NAME: where.table, AWS_ENDPOINT_URL_DYNAMODB: where.dynamodb_url });
}

function endpointAt(url: string): WebhookEndpoint {
	const created_at = new Date().toISOString();
	return {
		id: ulidIds.next(),
		version: 1,
		workspace_id: WORKSPACE,
		url,
		description: null,
		events: ['call.completed'],
		status: 'enabled',
		disabled_reason: null,
		secrets: [{ sealed: 'sealed', expires_at: null }],
		header_names: [],
		sealed_headers: null,
		health: HEALTHY,
		created_at,
		updated_at: created_at,
	};
}

function newEvent(): Event {
	const [id, call_id] = [ulidIds.next(), ulidIds.next()];
	return makeEvent({
		id,
		workspace_id: WORKSPACE,
		subject_id: call_id,
		kind: 'call.completed',
		sequence: 4,
		created_at: new Date().toISOString(),
		data: { id: call_id, workspace_id: WORKSPACE, status: 'completed', duration_seconds: 42 },
	});
}

/** The product's own path from an event to its POST, with the given store and queue but without KMS. */
export async function deliveryWorld(where: Where, target: Target) {
	const store = storeOf(where);
	const pump = memoryPump();
	const log = jsonLog({ operation: 'deliver-webhook' });
	const sender = httpsSender({ allowed_webhook_hosts: [target.host], trusted_ca_pem: target.ca_pem });
	const deps = {
		store,
		log,
		sender,
		queues: pump.queues,
		clock: systemClock,
		ids: ulidIds,
		vault: { openSecret: async () => target.secret },
		schedule_seconds: RETRY_SCHEDULE_SECONDS,
		whenDisabled: disabledNoticeWrites,
	};
	const handler = consume(
		'deliver-webhook',
		messageSchemas.deliveries,
		log,
		(message) => attemptDelivery(message, deps),
		'of failures',
	);
	let handled = 0;
	const run = async (event: SQSEvent): Promise<void> => {
		const answer = await handler(event);
		handled += event.Records.length - answer.batchItemFailures.length;
	};
	return {
		queues: pump.queues,
		/** Starts the functions. */
		start: () => pump.start(run),
		/** Processes messages without a queue, one batch at a time. */
		async handle(messages: readonly Outgoing<DeliveryMessage>[]): Promise<void> {
			for (let at = 0; at < messages.length; at += BATCH) {
				const batch = messages.slice(at, at + BATCH);
				await run(eventOf(batch.map(({ message }, n) => ({ id: String(n), body: JSON.stringify(message) }))));
			}
		},
		/** Messages processed so far. */
		handled: () => handled,
		async endpoint(url: string): Promise<WebhookEndpoint> {
			const item = endpointAt(url);
			await store.commit([{ op: 'put', record: 'webhook_endpoint', item, guard: { if: 'absent' } }]);
			return item;
		},
		/** Commits an event and its delivery; returns its id, and the message that requests the attempt. */
		async commitEvent(
			endpoint: WebhookEndpoint,
		): Promise<{ readonly id: string; readonly messages: readonly Outgoing<DeliveryMessage>[] }> {
			const event = newEvent();
			const { writes, messages } = publish(event, [endpoint]);
			await store.commit(writes);
			return { id: event.id, messages };
		},
	};
}
