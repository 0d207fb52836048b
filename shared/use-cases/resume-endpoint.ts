import type { Delivery } from '../domain/delivery.ts';
import { lowestIdAt } from '../domain/id.ts';
import { REPLAYS_PER_SECOND } from '../domain/retry-schedule.ts';
import type { Clock } from '../ports/clock.ts';
import type { DeliveryMessage, Outgoing, Queues } from '../ports/queues.ts';
import type { Resumption, Store } from '../ports/store.ts';
import { deliveryMessage } from './publish-event.ts';
import { replayed } from './retry-delivery.ts';

type Deps = { readonly store: Store; readonly queues: Queues; readonly clock: Clock };

/** The sweep comes back after this. */
const AGAIN_MS = 60_000;
/** What one visit sends: as much as goes out until the next. */
const PER_VISIT = (REPLAYS_PER_SECOND * AGAIN_MS) / 1000;
/** Deliveries of the workspace that one visit reads. */
const READ_PER_VISIT = 5000;
/** A change that had read the endpoint as disabled commits its held delivery within this of the enabling. */
const SETTLED_MS = 120_000;
const PAGE = 100;
const BATCH = 10;

/** Deliveries of a workspace from an id on, oldest first. */
export async function* deliveriesFrom(
	workspace_id: string,
	range: { readonly from_id: string; readonly before_id: string | null },
	store: Pick<Store, 'list'>,
): AsyncGenerator<Delivery> {
	let from_id = range.from_id;
	let last: string | null = null;
	for (;;) {
		const page: readonly Delivery[] = await store.list('delivery', workspace_id, {
			...range,
			from_id,
			limit: PAGE,
			oldest_first: true,
		});
		for (const delivery of page) if (delivery.id !== last) yield delivery;
		last = page.at(-1)?.id ?? null;
		if (last === null || page.length < PAGE) return;
		from_id = last;
	}
}

/**
 * Goes on sending what was held for an endpoint that was enabled again: oldest first, spread over time, each as a new
 * generation. What is left is noted under the resumption's version; a crash before that repeats the visit, which finds
 * the same deliveries sent. An endpoint that is off again, or gone, keeps the rest held.
 */
export async function resumeEndpoint(id: string, until_ms: number, deps: Deps): Promise<void> {
	const { store, clock } = deps;
	const resumption = await store.get('resumption', { id });
	if (resumption === null || Date.parse(resumption.due_at) > clock.now()) return;
	const endpoint = await store.get('webhook_endpoint', { workspace_id: resumption.workspace_id, id });
	const now = clock.now();
	const on = endpoint !== null && endpoint.status === 'enabled';
	const { reached, finished } = on ? await visit(resumption, until_ms, deps) : { reached: '', finished: true };
	const enabled_ms = Date.parse(resumption.enabled_at);
	const guard = { if: 'version', version: resumption.version } as const;
	if (!on || (finished && now >= enabled_ms + SETTLED_MS)) {
		await store.commit([{ op: 'remove', record: 'resumption', key: { id }, guard }]);
		return;
	}
	// What was committed around the enabling may still come to light, so the end of the range is read again.
	const settled = lowestIdAt(enabled_ms - SETTLED_MS);
	const from_id = reached < settled ? reached : settled;
	const due_at = new Date(now + AGAIN_MS).toISOString();
	const item = { ...resumption, version: resumption.version + 1, from_id, due_at };
	await store.commit([{ op: 'put', record: 'resumption', item, guard }]);
}

/** Sends what is held, as far as one visit goes; `reached`: up to there nothing is held any more. */
async function visit(
	{ id, workspace_id, from_id, enabled_at }: Resumption,
	until_ms: number,
	deps: Deps,
): Promise<{ readonly reached: string; readonly finished: boolean }> {
	const before_id = lowestIdAt(Date.parse(enabled_at) + SETTLED_MS);
	const start_ms = deps.clock.now();
	let messages: Outgoing<DeliveryMessage>[] = [];
	let [reached, read, sent] = [from_id, 0, 0];
	let finished = true;
	for await (const delivery of deliveriesFrom(workspace_id, { from_id, before_id }, deps.store)) {
		if (sent >= PER_VISIT || read >= READ_PER_VISIT || deps.clock.now() > until_ms) {
			finished = false;
			break;
		}
		read += 1;
		reached = delivery.id;
		if (delivery.endpoint_id !== id || delivery.status !== 'held') continue;
		const message = await startOver(delivery, start_ms + (sent * 1000) / REPLAYS_PER_SECOND, deps);
		if (message === null) continue;
		sent += 1;
		messages.push(message);
		if (messages.length === BATCH) messages = await handOver(messages, deps);
	}
	await handOver(messages, deps);
	return { reached, finished };
}

async function handOver(messages: Outgoing<DeliveryMessage>[], { queues }: Deps): Promise<[]> {
	if (messages.length > 0) await queues.send('retries', messages);
	return [];
}

/**
 * Starts a delivery over as a new generation, due at `at_ms`; the message to send for it, or null when somebody else
 * was quicker. A lost message is made up for by the sweep.
 */
export async function startOver(
	delivery: Delivery,
	at_ms: number,
	{ store, clock }: Pick<Deps, 'store' | 'clock'>,
): Promise<Outgoing<DeliveryMessage> | null> {
	const now = clock.now();
	const item = replayed(delivery, at_ms, now);
	const guard = { if: 'version', version: delivery.version } as const;
	const outcome = await store.commit([{ op: 'put', record: 'delivery', item, guard }]);
	if (!outcome.committed) return null;
	return deliveryMessage(item, at_ms - now);
}
