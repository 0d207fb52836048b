import { derivedId } from '../../../shared/domain/kernel/id.ts';
import type { SendResult } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { newDelivery } from '../../../shared/domain/webhooks/delivery-machine.ts';
import { HEALTHY } from '../../../shared/domain/webhooks/endpoint-health.ts';
import { makeEvent } from '../../../shared/domain/webhooks/event.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../../shared/domain/webhooks/retry-schedule.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import type { DeliveryMessage } from '../../../shared/ports/registry.ts';
import { sweep } from '../../../shared/use-cases/operations/sweep.ts';
import { attemptDelivery } from '../../../shared/use-cases/webhooks/attempt-delivery.ts';
import { deliveryMessage, publish } from '../../../shared/use-cases/webhooks/publish-event.ts';
import { memoryStore } from '../memory-store.ts';
import { deliveryDeps } from './delivery-deps.ts';

export const START = Date.parse('2026-11-09T12:00:00.000Z');
export const WORKSPACE = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
export const timings = { dns_ms: 0, connect_ms: 0, tls_ms: 0, first_byte_ms: 0, total_ms: 0 };
export const answered = (status: number): SendResult => ({
	kind: 'response',
	status,
	headers: {},
	body: 'said',
	timings,
});

/** An endpoint that subscribes to the ends of calls, known by a name. */
export function subscribed(name: string, at_ms: number, changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
	const at = new Date(at_ms).toISOString();
	return {
		id: derivedId(at_ms, name),
		version: 1,
		workspace_id: WORKSPACE,
		url: `https://${name}.example/`,
		description: null,
		events: ['call.completed'],
		status: 'enabled',
		disabled_reason: null,
		secrets: [{ sealed: 'whsec_AAAA', expires_at: null }],
		header_names: [],
		sealed_headers: null,
		health: HEALTHY,
		created_at: at,
		updated_at: at,
		...changes,
	};
}

/** A world with one endpoint and one delivery of one event; the clock stops until a test advances it. */
export async function world(change: Partial<WebhookEndpoint> = {}) {
	const store = memoryStore();
	const clock = { now_ms: START, now: () => clock.now_ms };
	const sent: { queue: string; message: DeliveryMessage; delay_seconds: number }[] = [];
	const posts: { url: string; body: string; headers: Readonly<Record<string, string>> }[] = [];
	const script: SendResult[] = [];
	const { dead, deps } = deliveryDeps({
		store,
		clock,
		schedule_seconds: RETRY_SCHEDULE_SECONDS,
		keep: (queue, message, delay_seconds) => sent.push({ queue, message, delay_seconds }),
		sender: {
			async send(request) {
				posts.push(request);
				await Promise.resolve();
				return script.shift() ?? answered(200);
			},
		},
	});
	const created_at = new Date(START).toISOString();
	const endpoint = subscribed('endpoint', START, { url: 'https://hooks.example/', ...change });
	const event = makeEvent({
		id: derivedId(START, 'event'),
		workspace_id: WORKSPACE,
		subject_id: derivedId(START, 'call'),
		kind: 'call.completed',
		sequence: 4,
		created_at,
		data: { id: 'x' },
	});
	const publication = publish(event, [endpoint]);
	const put = { op: 'put', record: 'webhook_endpoint', item: endpoint, guard: { if: 'absent' } } as const;
	await store.commit([put, ...publication.writes]);
	const id = derivedId(START, event.id, endpoint.id);
	const read = async (): Promise<Delivery> => {
		const delivery = await store.get('delivery', { id });
		if (delivery === null) throw new Error('the delivery is gone');
		return delivery;
	};
	const { message } = deliveryMessage(newDelivery(event, endpoint, START));
	/** The message that the publication sends. */
	const first: DeliveryMessage = publication.messages[0]?.message ?? message;
	return { store, clock, sent, dead, posts, script, deps, endpoint, event, id, read, message, first };
}
export type World = Awaited<ReturnType<typeof world>>;

/** The delivery of another event to the same endpoint. */
export async function another(w: World, n: number): Promise<DeliveryMessage> {
	const facts = { workspace_id: WORKSPACE, subject_id: derivedId(START, `call ${n}`), kind: 'call.completed' } as const;
	const created_at = new Date(START).toISOString();
	const event = makeEvent({ ...facts, id: derivedId(START, `event ${n}`), sequence: 1, created_at, data: { id: 'x' } });
	const { writes } = publish(event, [w.endpoint]);
	await w.store.commit(writes);
	return deliveryMessage(newDelivery(event, w.endpoint, START)).message;
}

/** Lets time pass up to `until_ms` ahead, delivering every message that is due and sweeping every minute. */
export async function live(w: World, until_ms: number): Promise<void> {
	const end = w.clock.now_ms + until_ms;
	for (; w.clock.now_ms < end; w.clock.now_ms += 60_000) {
		await sweep(w.deps);
		for (const { message } of w.sent.splice(0)) await attemptDelivery(message, w.deps);
	}
}
