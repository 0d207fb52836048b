import { derivedId } from '../../../shared/domain/kernel/id.ts';
import type { SendResult } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import { HEALTHY } from '../../../shared/domain/webhooks/circuit-breaker.ts';
import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { newDelivery } from '../../../shared/domain/webhooks/delivery-machine.ts';
import { type Event, makeEvent } from '../../../shared/domain/webhooks/event.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../../shared/domain/webhooks/retry-schedule.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import type { Queues } from '../../../shared/ports/queues.ts';
import type { DeliveryMessage, QueueName } from '../../../shared/ports/registry.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { disabledNoticeWrites } from '../../../shared/use-cases/notices/endpoint-notice.ts';
import { sweep } from '../../../shared/use-cases/retention/sweep.ts';
import { type AttemptDeps, attemptDelivery } from '../../../shared/use-cases/webhooks/attempt-delivery.ts';
import {
	changeWebhookEndpoint,
	type EndpointChange,
} from '../../../shared/use-cases/webhooks/change-webhook-endpoint.ts';
import { deliveryMessage, publish } from '../../../shared/use-cases/webhooks/event-outbox.ts';
import { memoryStore } from '../memory-store.ts';
import { put } from '../writes.ts';

// Webhook deliveries in virtual time: the use cases on the store in memory, with queues that respect the delays of messages.
// Nothing fails unless the test makes it fail. docs/world.md describes a simulation of the whole service.

export const START = Date.parse('2026-11-09T12:00:00.000Z');
export const WORKSPACE = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
export const timings = { dns_ms: 0, connect_ms: 0, tls_ms: 0, first_byte_ms: 0, total_ms: 0 };
const SWEEP_MS = 60_000;

export const answered = (status: number): SendResult => ({
	kind: 'response',
	status,
	headers: {},
	body: 'said',
	timings,
});

/** An endpoint with this name that subscribes to `call.completed`. */
export function subscribed(name: string, atMs: number, changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
	const at = new Date(atMs).toISOString();
	return {
		id: derivedId(atMs, name),
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

/** The event `call.completed` of the call with this name. */
function eventNamed(name: string, atMs: number, sequence = 1): Event {
	const id = derivedId(atMs, 'event', name);
	const subject_id = derivedId(atMs, 'call', name);
	return makeEvent({
		id,
		subject_id,
		workspace_id: WORKSPACE,
		kind: 'call.completed' as const,
		sequence,
		created_at: new Date(atMs).toISOString(),
		data: { id: subject_id },
	});
}

type Sent = { readonly queue: QueueName; readonly message: DeliveryMessage; readonly delay_seconds: number };
type Post = {
	readonly url: string;
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly event_id: string;
	readonly at_ms: number;
};

export function deliveryDays(store: Store = memoryStore(), schedule_seconds = RETRY_SCHEDULE_SECONDS) {
	const clock = { now_ms: START, now: () => clock.now_ms };
	/** `sent`: all messages that were sent. `waiting`: those of them that have not arrived yet. */
	const sent: Sent[] = [];
	const waiting: (Sent & { readonly at_ms: number })[] = [];
	const dead: DeliveryMessage[] = [];
	const posts: Post[] = [];
	/** The next responses of receivers, in turn. When they are used up, the response depends on the receiver's host name. */
	const script: SendResult[] = [];
	const answers = new Map<string, number>();
	let nextSweepMs = START + SWEEP_MS;
	let made = 0;
	const queues: Queues = {
		async send(queue, messages) {
			for (const { message, delay_seconds } of messages) {
				if (!('delivery_id' in message)) continue;
				if (queue === 'dead-letters') dead.push(message);
				else {
					sent.push({ queue, message, delay_seconds });
					waiting.push({ queue, message, delay_seconds, at_ms: clock.now_ms + delay_seconds * 1000 });
				}
			}
			return { sent: messages.length, failed: 0 };
		},
	};
	function nextId(): string {
		made += 1;
		return derivedId(clock.now_ms, String(made));
	}
	const silent = () => undefined;
	const deps: AttemptDeps = {
		store,
		queues,
		clock,
		schedule_seconds,
		sender: {
			async send({ url, body, headers }) {
				posts.push({ url, body, headers, event_id: headers['webhook-id'] ?? '', at_ms: clock.now_ms });
				await Promise.resolve();
				return script.shift() ?? answered(answers.get(new URL(url).hostname) ?? 200);
			},
		},
		ids: { next: nextId, random: (bytes) => new Uint8Array(bytes) },
		vault: { openSecret: async (sealed) => sealed },
		log: { info: silent, warn: silent, error: silent },
		whenDisabled: disabledNoticeWrites,
	};

	async function endpoint(name: string, changes: Partial<WebhookEndpoint> = {}): Promise<WebhookEndpoint> {
		const item = subscribed(name, clock.now_ms, changes);
		await store.commit([put('webhook_endpoint', item)]);
		return item;
	}
	function nextEvent(): Event {
		made += 1;
		return eventNamed(String(made), clock.now_ms);
	}
	/** Commits an event for these endpoints, as the service does when a call changes. */
	async function commitEvent(event: Event, endpoints: readonly WebhookEndpoint[]): Promise<void> {
		const publication = publish(event, endpoints);
		await store.commit(publication.writes);
		await queues.send('deliveries', publication.messages);
	}
	async function happen(count = 1): Promise<Event[]> {
		const events: Event[] = [];
		for (let n = 0; n < count; n += 1) {
			const event = nextEvent();
			events.push(event);
			await commitEvent(event, await store.endpointsOf(WORKSPACE));
			clock.now_ms += 1000;
		}
		return events;
	}

	/** Processes one message. */
	const handle = (message: DeliveryMessage, by: AttemptDeps = deps): Promise<void> => attemptDelivery(message, by);
	/** Lets time pass: messages arrive when they are due, and the sweep runs every minute. */
	async function live(forMs: number): Promise<void> {
		const endMs = clock.now_ms + forMs;
		for (;;) {
			waiting.sort((a, b) => a.at_ms - b.at_ms);
			const atMs = Math.min(nextSweepMs, waiting[0]?.at_ms ?? nextSweepMs);
			if (atMs > endMs) break;
			clock.now_ms = Math.max(clock.now_ms, atMs);
			const first = waiting[0];
			if (first !== undefined && first.at_ms <= atMs) {
				waiting.shift();
				await handle(first.message);
			} else {
				nextSweepMs += SWEEP_MS;
				await sweep(deps);
			}
		}
		clock.now_ms = endMs;
	}

	async function change(id: string, wanted: EndpointChange, by: Store = store): Promise<void> {
		const sender = { check: async (url: string) => ({ allowed: true as const, url }) };
		const vault = { sealSecret: async (secret: string) => `sealed ${secret}` };
		const key = { workspace_id: WORKSPACE, id };
		const outcome = await changeWebhookEndpoint(key, wanted, { store: by, clock, sender, vault });
		if (outcome.outcome !== 'changed') throw new Error(outcome.outcome);
	}
	const deliveryOf = async (event: Event, { id }: WebhookEndpoint): Promise<Delivery> => {
		const delivery = await store.get('delivery', { id: derivedId(Date.parse(event.created_at), event.id, id) });
		if (delivery === null) throw new Error('there is no such delivery');
		return delivery;
	};
	const statusesOf = async (events: readonly Event[], of: WebhookEndpoint): Promise<string[]> =>
		await Promise.all(events.map(async (event) => (await deliveryOf(event, of)).status));
	const postsTo = (of: WebhookEndpoint): string[] =>
		posts.filter(({ url }) => url === of.url).map(({ event_id }) => event_id);
	return {
		store,
		clock,
		queues,
		sent,
		waiting,
		dead,
		posts,
		script,
		answers,
		deps,
		endpoint,
		nextEvent,
		commitEvent,
		happen,
		handle,
		live,
		change,
		deliveryOf,
		statusesOf,
		postsTo,
	};
}
export type DeliveryDays = ReturnType<typeof deliveryDays>;

/** One endpoint, and one delivery of one event to it. No message was sent yet, and only the test moves the clock. */
export async function oneDelivery(changes: Partial<WebhookEndpoint> = {}) {
	const days = deliveryDays();
	const endpoint = await days.endpoint('hooks', changes);
	const event = eventNamed('first', START, 4);
	const { writes, messages } = publish(event, [endpoint]);
	await days.store.commit(writes);
	const { id } = newDelivery(event, endpoint, START);
	const { message } = deliveryMessage(newDelivery(event, endpoint, START));
	/** The message that is sent when the event is published. */
	const first = messages[0]?.message ?? message;
	return { ...days, endpoint, event, id, message, first, read: () => days.deliveryOf(event, endpoint) };
}
export type OneDelivery = Awaited<ReturnType<typeof oneDelivery>>;

/** Creates the delivery of another event to the same endpoint. Returns the message for it. */
export async function another({ store, endpoint }: OneDelivery, n: number): Promise<DeliveryMessage> {
	const event = eventNamed(String(n), START);
	await store.commit(publish(event, [endpoint]).writes);
	return deliveryMessage(newDelivery(event, endpoint, START)).message;
}
