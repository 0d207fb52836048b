import { derivedId } from '../../../shared/domain/kernel/id.ts';
import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { type Event, makeEvent } from '../../../shared/domain/webhooks/event.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../../shared/domain/webhooks/retry-schedule.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import type { DeliveryMessage, QueueName } from '../../../shared/ports/registry.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { sweep } from '../../../shared/use-cases/operations/sweep.ts';
import { type AttemptDeps, attemptDelivery } from '../../../shared/use-cases/webhooks/attempt-delivery.ts';
import {
	changeWebhookEndpoint,
	type EndpointChange,
} from '../../../shared/use-cases/webhooks/change-webhook-endpoint.ts';
import { publish } from '../../../shared/use-cases/webhooks/publish-event.ts';
import { memoryStore } from '../memory-store.ts';
import { deliveryDeps } from './delivery-deps.ts';
import { answered, START, subscribed, WORKSPACE } from './delivery-world.ts';

// Webhook delivery in virtual time: the real use-cases on the store in memory, with queues that keep their delays.

const SWEEP_MS = 60_000;
type Waiting = { readonly queue: QueueName; readonly message: DeliveryMessage; readonly at_ms: number };
type Post = { readonly url: string; readonly event_id: string; readonly at_ms: number };

export function deliveryDays(store: Store = memoryStore(), schedule_seconds = RETRY_SCHEDULE_SECONDS) {
	const clock = { now_ms: START, now: () => clock.now_ms };
	const waiting: Waiting[] = [];
	const posts: Post[] = [];
	/** What receivers answer, by the name of their host. */
	const answers = new Map<string, number>();
	let next_sweep_ms = START + SWEEP_MS;
	let made = 0;
	const { dead, queues, deps } = deliveryDeps({
		store,
		clock,
		schedule_seconds,
		keep: (queue, message, delay_seconds) =>
			waiting.push({ queue, message, at_ms: clock.now_ms + delay_seconds * 1000 }),
		sender: {
			async send({ url, headers }) {
				posts.push({ url, event_id: headers['webhook-id'] ?? '', at_ms: clock.now_ms });
				return answered(answers.get(new URL(url).hostname) ?? 200);
			},
		},
	});

	async function endpoint(name: string, changes: Partial<WebhookEndpoint> = {}): Promise<WebhookEndpoint> {
		const item = subscribed(name, clock.now_ms, changes);
		await store.commit([{ op: 'put', record: 'webhook_endpoint', item, guard: { if: 'absent' } }]);
		return item;
	}

	function nextEvent(): Event {
		made += 1;
		const created_at = new Date(clock.now_ms).toISOString();
		const [id, subject_id] = [
			derivedId(clock.now_ms, 'event', String(made)),
			derivedId(clock.now_ms, 'call', String(made)),
		];
		const facts = { id, subject_id, workspace_id: WORKSPACE, kind: 'call.completed' as const, sequence: 1, created_at };
		return makeEvent({ ...facts, data: { id: subject_id } });
	}
	/** A change that had read these endpoints commits its event. */
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
	/** Time passes: messages come when they are due, the sweep every minute. */
	async function live(for_ms: number): Promise<void> {
		const end_ms = clock.now_ms + for_ms;
		for (;;) {
			waiting.sort((a, b) => a.at_ms - b.at_ms);
			const at_ms = Math.min(next_sweep_ms, waiting[0]?.at_ms ?? next_sweep_ms);
			if (at_ms > end_ms) break;
			clock.now_ms = Math.max(clock.now_ms, at_ms);
			const first = waiting[0];
			if (first !== undefined && first.at_ms <= at_ms) {
				waiting.shift();
				await handle(first.message);
			} else {
				next_sweep_ms += SWEEP_MS;
				await sweep(deps);
			}
		}
		clock.now_ms = end_ms;
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
		waiting,
		dead,
		posts,
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
