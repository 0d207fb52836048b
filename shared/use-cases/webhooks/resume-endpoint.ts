import { lowestIdAt } from '../../domain/kernel/id.ts';
import { REPLAYS_PER_SECOND } from '../../domain/webhooks/attempt-outcome.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Resumption } from '../../ports/registry.ts';
import { everyItem } from '../kernel/list-page.ts';
import { sendOn } from './publish-event.ts';
import { replayDelivery } from './replay-delivery.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock'>;

/** The interval between visits of the sweep. */
const AGAIN_MS = 60_000;
/** The number of deliveries in one visit: as many as can be sent until the next. */
const PER_VISIT = (REPLAYS_PER_SECOND * AGAIN_MS) / 1000;
/** The number of the workspace's held deliveries that one visit reads. */
const READ_PER_VISIT = 5000;
/** A change that had read the disabled endpoint commits its held delivery at most this long after the enabling. */
const SETTLED_MS = 120_000;

/**
 * Continues to send the held deliveries of an endpoint that was enabled: oldest first, spread over time, each as a new
 * generation. It records the remaining range under the resumption's version; after a crash before that, the next visit
 * repeats the work and finds the deliveries already sent. If the endpoint is disabled again, or deleted, the rest stays held.
 */
export async function resumeEndpoint(id: string, until_ms: number, deps: Deps): Promise<void> {
	const { store, clock } = deps;
	const resumption = await store.get('resumption', { id });
	const now_ms = clock.now();
	if (resumption === null || Date.parse(resumption.due_at) > now_ms) return;
	const endpoint = await store.get('webhook_endpoint', { workspace_id: resumption.workspace_id, id });
	const settled_ms = Date.parse(resumption.enabled_at) + SETTLED_MS;
	const enabled = endpoint?.status === 'enabled';
	const rest_from_id = enabled ? await visit(resumption, settled_ms, until_ms, deps) : null;
	const guard = { if: 'version', version: resumption.version } as const;
	if (!enabled || (rest_from_id === null && now_ms >= settled_ms)) {
		await store.commit([{ op: 'remove', record: 'resumption', key: { id }, guard }]);
		return;
	}
	// Deliveries committed at the time of the enabling may appear late, so the end of the range is read again.
	const again = lowestIdAt(settled_ms - 2 * SETTLED_MS);
	const next = rest_from_id !== null && rest_from_id < again ? rest_from_id : again;
	const from_id = next > resumption.from_id ? next : resumption.from_id;
	const due_at = new Date(now_ms + AGAIN_MS).toISOString();
	const item = { ...resumption, version: resumption.version + 1, from_id, due_at };
	await store.commit([{ op: 'put', record: 'resumption', item, guard }]);
}

/** Starts held deliveries over, up to the limits of a visit; returns the id of the first that is left, or null. */
async function visit(resumption: Resumption, settled_ms: number, until_ms: number, deps: Deps): Promise<string | null> {
	const { id, workspace_id, from_id } = resumption;
	const { store, clock } = deps;
	const start_ms = clock.now();
	let [read_count, sent_count] = [0, 0];
	const range = { from_id, before_id: lowestIdAt(settled_ms), part: { status: 'held' } } as const;
	for await (const delivery of everyItem('delivery', workspace_id, range, store)) {
		if (read_count === READ_PER_VISIT || sent_count === PER_VISIT || clock.now() > until_ms) return delivery.id;
		read_count += 1;
		if (delivery.endpoint_id !== id || delivery.status !== 'held') continue;
		const item = await replayDelivery(delivery, start_ms + (sent_count * 1000) / REPLAYS_PER_SECOND, deps);
		if (item === null) continue;
		sent_count += 1;
		await sendOn(item, deps);
	}
	return null;
}
