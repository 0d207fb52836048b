import type { Delivery } from '../domain/delivery.ts';
import type { Event } from '../domain/event.ts';
import { derivedId, lowestIdAt } from '../domain/id.ts';
import { REPLAYS_PER_SECOND } from '../domain/retry-schedule.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Clock } from '../ports/clock.ts';
import type { Queues } from '../ports/queues.ts';
import type { Store } from '../ports/store.ts';
import { deliveryMessage, newDelivery } from './publish-event.ts';
import { replayed } from './retry-delivery.ts';

type Deps = { readonly store: Store; readonly queues: Queues; readonly clock: Clock };
export type RecoverInput = {
	readonly workspace_id: string;
	readonly endpoint_id: string;
	readonly since_ms: number;
	/** Null: until now. */
	readonly until_ms: number | null;
	/** `failed`: what ended failed or is held. `missing`: also events of its kinds that have no delivery to it. */
	readonly mode: 'failed' | 'missing';
	readonly dry_run: boolean;
};
export type Recovered = { readonly matched: number; readonly queued: number };

const PAGE = 100;

/**
 * Delivers again what an endpoint missed, as new generations spread over time. What succeeded meanwhile is left alone,
 * so doing it twice doubles nothing. With `dry_run` it only counts. Null when there is no such endpoint.
 */
export async function recoverDeliveries(input: RecoverInput, deps: Deps): Promise<Recovered | null> {
	const key = { workspace_id: input.workspace_id, id: input.endpoint_id };
	const endpoint = await deps.store.get('webhook_endpoint', key);
	if (endpoint === null) return null;
	let matched = 0;
	let queued = 0;
	for await (const event of eventsIn(input, deps)) {
		if (!endpoint.events.includes(event.kind)) continue;
		const id = derivedId(Date.parse(event.created_at), event.id, endpoint.id);
		const delivery = await deps.store.get('delivery', { id });
		if (!isMissed(delivery, input.mode)) continue;
		matched += 1;
		if (!input.dry_run && (await again(delivery, event, endpoint, queued, deps))) queued += 1;
	}
	return { matched, queued };
}

function isMissed(delivery: Delivery | null, mode: RecoverInput['mode']): boolean {
	if (delivery === null) return mode === 'missing';
	return delivery.status === 'failed' || delivery.status === 'held' || delivery.status === 'canceled';
}

async function* eventsIn({ workspace_id, since_ms, until_ms }: RecoverInput, { store }: Deps): AsyncGenerator<Event> {
	const from_id = lowestIdAt(since_ms);
	let before_id = until_ms === null ? null : lowestIdAt(until_ms);
	for (;;) {
		const page = await store.list('event', workspace_id, { from_id, before_id, limit: PAGE });
		yield* page;
		const last = page.at(-1);
		if (last === undefined || page.length < PAGE) return;
		before_id = last.id;
	}
}

/** True if it is on its way now; false if somebody else was quicker. */
async function again(
	delivery: Delivery | null,
	event: Event,
	endpoint: WebhookEndpoint,
	position: number,
	{ store, queues, clock }: Deps,
): Promise<boolean> {
	const now = clock.now();
	const at_ms = now + Math.floor((position * 1000) / REPLAYS_PER_SECOND);
	const item = delivery === null ? newDelivery(event, endpoint, now) : replayed(delivery, at_ms, now);
	const guard =
		delivery === null ? ({ if: 'absent' } as const) : ({ if: 'version', version: delivery.version } as const);
	const outcome = await store.commit([{ op: 'put', record: 'delivery', item, guard }]);
	if (!outcome.committed) return false;
	const delay_seconds = Math.min(900, Math.ceil((at_ms - now) / 1000));
	if (at_ms - now <= 900_000) await queues.send('retries', [deliveryMessage(item, delay_seconds)]);
	return true;
}
