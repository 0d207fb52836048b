import { lowestIdAt } from '../../domain/kernel/id.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { decideDelivery } from '../../domain/webhooks/delivery-machine.ts';
import { isUntriedAndDue, isWaiting } from '../../domain/webhooks/delivery-state.ts';
import { UNDER_WAY_MS } from '../../domain/webhooks/endpoint-breaker.ts';
import { REPLAYS_PER_SECOND } from '../../domain/webhooks/retry-schedule.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Outgoing } from '../../ports/queues.ts';
import type { DeliveryMessage, Resumption } from '../../ports/registry.ts';
import type { Put, Store } from '../../ports/store.ts';
import { deliveryMessage } from './publish-event.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock'>;

/** The interval between visits of the sweep. */
const AGAIN_MS = 60_000;
/** The number of deliveries in one visit: as many as can be sent until the next. */
const PER_VISIT = (REPLAYS_PER_SECOND * AGAIN_MS) / 1000;
/** The number of the workspace's deliveries that one visit reads. */
const READ_PER_VISIT = 5000;
/** A change that had read the disabled endpoint commits its held delivery at most this long after the enabling. */
const SETTLED_MS = 120_000;
const PAGE = 100;
const BATCH = 10;

/** Deliveries of a workspace from an id on, oldest first. `first`: how many to read at once in the beginning. */
export async function* deliveriesFrom(
	workspace_id: string,
	range: { readonly from_id: string; readonly before_id: string | null },
	store: Pick<Store, 'list'>,
	first = PAGE,
): AsyncGenerator<Delivery> {
	let [from_id, limit] = [range.from_id, first];
	let last: string | null = null;
	for (;;) {
		const asked = { ...range, from_id, limit, oldest_first: true } as const;
		const page: readonly Delivery[] = await store.list('delivery', workspace_id, asked);
		for (const delivery of page) if (delivery.id !== last) yield delivery;
		last = page.at(-1)?.id ?? null;
		if (last === null || page.length < limit) return;
		[from_id, limit] = [last, PAGE];
	}
}

/**
 * The record that tells the sweep to send the deliveries that waited for the breaker, written together with its closing.
 */
export async function letWaitingGo(
	{ id, workspace_id, health }: WebhookEndpoint,
	{ store, clock }: Pick<Deps, 'store' | 'clock'>,
): Promise<Put<'resumption'>> {
	const before = await store.get('resumption', { id });
	const now_ms = clock.now();
	const now = new Date(now_ms).toISOString();
	const opened_ms = Date.parse(health.probing?.opened_at ?? now);
	const waiting_from = lowestIdAt(opened_ms - UNDER_WAY_MS);
	const times = { enabled_at: now, due_at: now };
	if (before === null) {
		const item = { id, version: 1, workspace_id, from_id: waiting_from, held_from_id: null, ...times };
		return { op: 'put', record: 'resumption', item, guard: { if: 'absent' } };
	}
	// Keeps what an earlier enabling still has to send.
	const { version, held_from_id = before.from_id } = before;
	const from_id = before.from_id < waiting_from ? before.from_id : waiting_from;
	const item = { ...before, version: version + 1, from_id, held_from_id, ...times };
	return { op: 'put', record: 'resumption', item, guard: { if: 'version', version } };
}

/**
 * Continues to send the waiting deliveries of an endpoint that was re-enabled or whose breaker closed: spread over time,
 * each as a new generation. It records the remaining range under the resumption's version; after a crash before that, the
 * next visit repeats the work and finds the deliveries already sent. If the endpoint is disabled again, or deleted, the
 * rest stays held.
 */
export async function resumeEndpoint(id: string, until_ms: number, deps: Deps): Promise<void> {
	const { store, clock } = deps;
	const resumption = await store.get('resumption', { id });
	if (resumption === null || Date.parse(resumption.due_at) > clock.now()) return;
	const endpoint = await store.get('webhook_endpoint', { workspace_id: resumption.workspace_id, id });
	const now_ms = clock.now();
	const on = endpoint !== null && endpoint.status === 'enabled';
	const meant = { ...resumption, pending: endpoint?.health.held_until === null };
	const { reached, finished } = on ? await visit(meant, until_ms, deps) : { reached: '', finished: true };
	const enabled_ms = Date.parse(resumption.enabled_at);
	const guard = { if: 'version', version: resumption.version } as const;
	if (!on || (finished && now_ms >= enabled_ms + SETTLED_MS)) {
		await store.commit([{ op: 'remove', record: 'resumption', key: { id }, guard }]);
		return;
	}
	// Deliveries committed at the time of the enabling may appear late, so the end of the range is read again.
	const settled = lowestIdAt(enabled_ms - SETTLED_MS);
	const from_id = reached < settled ? reached : settled;
	const due_at = new Date(now_ms + AGAIN_MS).toISOString();
	const item = { ...resumption, version: resumption.version + 1, from_id, due_at };
	await store.commit([{ op: 'put', record: 'resumption', item, guard }]);
}

/** `pending`: whether the breaker lets pending deliveries go. */
type Meant = Resumption & { readonly pending: boolean };
type Reach = { readonly reached: string; readonly finished: boolean };

/** Sends waiting deliveries, up to the limit of a visit; `reached`: nothing before this id waits any more. */
async function visit(resumption: Meant, until_ms: number, deps: Deps): Promise<Reach> {
	const start_ms = deps.clock.now();
	const { found, reach } = await gather(resumption, until_ms, deps);
	const left = new Set(found);
	let messages: Outgoing<DeliveryMessage>[] = [];
	let sent = 0;
	for (const delivery of byTurns(found)) {
		if (sent >= PER_VISIT || deps.clock.now() > until_ms) break;
		left.delete(delivery);
		const message = await start(delivery, resumption, start_ms + (sent * 1000) / REPLAYS_PER_SECOND, deps);
		if (message === null) continue;
		sent += 1;
		messages.push(message);
		if (messages.length === BATCH) messages = await handOver(messages, deps);
	}
	await handOver(messages, deps);
	const [first] = left;
	return first === undefined ? reach : { reached: first.id, finished: false };
}

/** Starts a delivery over. If the sweep postponed it meanwhile, or a failed probe gave it a slot, decides once more. */
async function start(
	delivery: Delivery,
	resumption: Meant,
	at_ms: number,
	deps: Deps,
): Promise<Outgoing<DeliveryMessage> | null> {
	const message = await startOver(delivery, at_ms, deps);
	if (message !== null) return message;
	const now = await deps.store.get('delivery', { id: delivery.id });
	return now !== null && isMeant(now, resumption, deps.clock.now()) ? startOver(now, at_ms, deps) : null;
}

/** The waiting deliveries, oldest first, up to the limit of a visit. */
async function gather(
	resumption: Meant,
	until_ms: number,
	{ store, clock }: Deps,
): Promise<{ readonly found: readonly Delivery[]; readonly reach: Reach }> {
	const { workspace_id, from_id } = resumption;
	const before_id = endOf(resumption);
	const found: Delivery[] = [];
	let [reached, read] = [from_id, 0];
	for await (const delivery of deliveriesFrom(workspace_id, { from_id, before_id }, store)) {
		if (read >= READ_PER_VISIT || clock.now() > until_ms) return { found, reach: { reached, finished: false } };
		read += 1;
		reached = delivery.id;
		if (isMeant(delivery, resumption, clock.now())) found.push(delivery);
	}
	return { found, reach: { reached, finished: true } };
}

/** The end of its range: deliveries committed at the time of the enabling or closing may be listed late. */
const endOf = ({ enabled_at }: Resumption): string => lowestIdAt(Date.parse(enabled_at) + SETTLED_MS);

/** Whether a visit still reaches this delivery, so that the sweep leaves it, and the endpoint is not overloaded. */
export const reaches = (resumption: Resumption, { id }: Delivery): boolean =>
	id >= resumption.from_id && id < endOf(resumption);

function isMeant(delivery: Delivery, resumption: Meant, now_ms: number): boolean {
	const { id, from_id, held_from_id = from_id, tried_before, pending } = resumption;
	if (delivery.endpoint_id !== id) return false;
	if (delivery.status === 'held') return held_from_id !== null && delivery.id >= held_from_id;
	if (!pending) return false;
	if (isUntriedAndDue(delivery, now_ms)) return true;
	if (!isWaiting(delivery, now_ms)) return false;
	if (delivery.waiting_since !== undefined) return true;
	if (tried_before === undefined || (delivery.last_attempt?.started_at ?? '') >= tried_before) return false;
	// A delivery that is due before the next visit needs no action, and this visit may have brought it forward.
	return Date.parse(delivery.next_attempt_at ?? '') > now_ms + AGAIN_MS;
}

/**
 * Held ones, oldest first; for pending ones, event types take turns, so that a type that the receiver refuses does not
 * delay the others.
 */
function byTurns(found: readonly Delivery[]): readonly Delivery[] {
	const held = found.filter(({ status }) => status === 'held');
	const kinds = [
		...Map.groupBy(
			found.filter(({ status }) => status !== 'held'),
			({ event }) => event,
		).values(),
	];
	const rounds = Math.max(0, ...kinds.map(({ length }) => length));
	const pending = Array.from({ length: rounds }, (_, round) => kinds.flatMap((of) => of.slice(round, round + 1)));
	return [...pending.flat(), ...held];
}

async function handOver(messages: Outgoing<DeliveryMessage>[], { queues }: Deps): Promise<[]> {
	if (messages.length > 0) await queues.send('retries', messages);
	return [];
}

/**
 * Starts a delivery over as a new generation, due at `at_ms`. Returns the message to send, or null if another process was
 * faster. If the message is lost, the sweep sends another.
 */
export async function startOver(
	delivery: Delivery,
	at_ms: number,
	{ store, clock }: Pick<Deps, 'store' | 'clock'>,
): Promise<Outgoing<DeliveryMessage> | null> {
	const now_ms = clock.now();
	const item = decideDelivery(delivery, { input: 'start_over', at_ms }, now_ms);
	if (item === null) return null;
	const guard = { if: 'version', version: delivery.version } as const;
	const outcome = await store.commit([{ op: 'put', record: 'delivery', item, guard }]);
	if (!outcome.committed) return null;
	return deliveryMessage(item, at_ms - now_ms);
}
