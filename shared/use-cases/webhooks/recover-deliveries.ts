import { derivedId, lowestIdAt } from '../../domain/kernel/id.ts';
import { TIMED_BY_MESSAGE_MS } from '../../domain/kernel/wake-up.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { isMissed, newDelivery } from '../../domain/webhooks/delivery-machine.ts';
import type { Event } from '../../domain/webhooks/event.ts';
import { REPLAYS_PER_SECOND } from '../../domain/webhooks/retry-schedule.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Queues } from '../../ports/queues.ts';
import type { Store } from '../../ports/store.ts';
import { deliveryMessage } from './publish-event.ts';
import { startOver } from './resume-endpoint.ts';
import { tryEndpointAgain } from './try-endpoint-again.ts';

type Deps = { readonly store: Store; readonly queues: Queues; readonly clock: Clock };
export type RecoverInput = {
	readonly workspace_id: string;
	readonly endpoint_id: string;
	readonly since_ms: number;
	/** Null: until now. */
	readonly until_ms: number | null;
	/** `failed`: failed and held deliveries. `missing`: also events of its types without a delivery to it. */
	readonly mode: 'failed' | 'missing';
	readonly dry_run: boolean;
};
export type Recovered =
	| { readonly matched: number; readonly queued: number }
	/** The endpoint is disabled: deliveries that we queued now would be held instead of sent. */
	| { readonly refused: 'endpoint_disabled' };

const PAGE = 100;

/**
 * Redelivers what an endpoint missed, as new generations spread over time, and closes its breaker, so that they are sent.
 * It skips deliveries that have succeeded, so a repetition sends nothing twice. With `dry_run` it only counts, also for a
 * disabled endpoint. Null if there is no such endpoint.
 */
export async function recoverDeliveries(input: RecoverInput, deps: Deps): Promise<Recovered | null> {
	const key = { workspace_id: input.workspace_id, id: input.endpoint_id };
	const endpoint = await deps.store.get('webhook_endpoint', key);
	if (endpoint === null) return null;
	if (!input.dry_run && endpoint.status === 'disabled') return { refused: 'endpoint_disabled' };
	if (!input.dry_run) await tryEndpointAgain(key, deps);
	let matched = 0;
	let queued = 0;
	for await (const event of eventsIn(input, deps)) {
		if (!endpoint.events.includes(event.kind)) continue;
		const id = derivedId(Date.parse(event.created_at), event.id, endpoint.id);
		const delivery = await deps.store.get('delivery', { id });
		if (delivery === null ? input.mode !== 'missing' : !isMissed(delivery)) continue;
		matched += 1;
		if (!input.dry_run && (await again(delivery, event, endpoint, queued, deps))) queued += 1;
	}
	return { matched, queued };
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

/** Returns true if the delivery is queued now; false if another process was faster. */
async function again(
	delivery: Delivery | null,
	event: Event,
	endpoint: WebhookEndpoint,
	position: number,
	deps: Deps,
): Promise<boolean> {
	const now_ms = deps.clock.now();
	const at_ms = now_ms + Math.floor((position * 1000) / REPLAYS_PER_SECOND);
	const message =
		delivery === null ? await start(event, endpoint, at_ms, deps) : await startOver(delivery, at_ms, deps);
	if (message !== null && at_ms - now_ms <= TIMED_BY_MESSAGE_MS) await deps.queues.send('retries', [message]);
	return message !== null;
}

/** Creates the missing delivery of an event, due at `at_ms`; null if another process was faster. */
async function start(event: Event, endpoint: WebhookEndpoint, at_ms: number, { store, clock }: Deps) {
	const item = newDelivery(event, endpoint, at_ms);
	const outcome = await store.commit([{ op: 'put', record: 'delivery', item, guard: { if: 'absent' } }]);
	if (!outcome.committed) return null;
	return deliveryMessage(item, at_ms - clock.now());
}
