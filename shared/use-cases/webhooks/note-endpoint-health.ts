import type { Attempt, Delivery } from '../../domain/webhooks/delivery.ts';
import { postponed } from '../../domain/webhooks/delivery-machine.ts';
import {
	type AfterAttempt,
	afterAttemptAt,
	bookWaiting,
	type Slot,
	signOf,
} from '../../domain/webhooks/endpoint-machine.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Queues } from '../../ports/queues.ts';
import type { Store, Write } from '../../ports/store.ts';
import { putDelivery, putHealth } from './claim-delivery.ts';
import { deliveryMessage } from './publish-event.ts';
import { deliveriesFrom, letWaitingGo, resumeEndpoint } from './resume-endpoint.ts';

type Deps = { readonly store: Store; readonly queues: Queues; readonly clock: Clock; readonly log: Log };

/** Attempts that end together are all counted, so that the breaker opens after the first of them that failed in vain. */
const TRIES = 5;
/** Deliveries of the workspace that are read after a probe has failed, to find the next ones. */
const READ_AT_MOST = 500;
/** What waited is sent at once for this long; the sweep goes on with the rest. */
const SEND_MS = 5000;

/**
 * Notes what an attempt says of its endpoint. A healthy endpoint that succeeds is never written, so it is no hot item; a
 * failing one is written by the first that comes, the others after it. When a probe fails, what was never attempted gets the
 * next slots; when the breaker closes, what waited is sent.
 */
export async function noteHealth(
	seen: WebhookEndpoint,
	delivery: Delivery,
	attempt: Attempt,
	deps: Deps,
): Promise<void> {
	const { store, clock } = deps;
	const sign = signOf(attempt);
	if (sign === 'succeeded' && seen.health.failing_since === null && seen.health.held_until === null) return;
	const started_ms = Date.parse(attempt.started_at);
	for (let tried = 0; tried < TRIES; tried += 1) {
		const endpoint = await store.get('webhook_endpoint', { workspace_id: seen.workspace_id, id: seen.id });
		if (endpoint === null) return;
		const after = afterAttemptAt(endpoint, { sign, delivery, started_ms, now_ms: clock.now() });
		if (after === null) return;
		if (await write(endpoint, after, deps)) return tell(after, deps);
	}
}

/** False when another process was quicker. */
async function write(before: WebhookEndpoint, after: AfterAttempt, deps: Deps): Promise<boolean> {
	const { store, clock, queues } = deps;
	const guard = { if: 'version', version: before.version } as const;
	const endpoint: Write = { op: 'put', record: 'webhook_endpoint', item: after.endpoint, guard };
	switch (after.breaker) {
		case 'as_it_was':
		case 'opened':
			return (await store.commit([endpoint])).committed;
		case 'closed': {
			const resumption = await letWaitingGo(before, deps);
			const written = await store.commit([endpoint, resumption]);
			if (written.committed) await resumeEndpoint(before.id, clock.now() + SEND_MS, deps);
			return written.committed;
		}
		case 'probed': {
			const now_ms = clock.now();
			const { put, slots } = await withNextProbes(before, after.endpoint, deps);
			const moved = slots.map(({ delivery, at_ms }) => ({ delivery, at_ms, item: postponed(delivery, at_ms, now_ms) }));
			const written = await store.commit([
				put,
				...moved.map(({ delivery, item }) => putDelivery(item, delivery.version)),
			]);
			if (!written.committed) return false;
			const messages = moved.map(({ item, at_ms }) => deliveryMessage(item, at_ms - now_ms));
			if (messages.length > 0) await queues.send('retries', messages);
			return true;
		}
	}
}

/** The endpoint with slots for deliveries that were never attempted, one in every free lane. */
async function withNextProbes(
	before: WebhookEndpoint,
	after: WebhookEndpoint,
	{ store, clock }: Deps,
): Promise<{ readonly put: Write; readonly slots: readonly Slot[] }> {
	const { probing } = after.health;
	if (probing === undefined) return { put: putHealth(before, after.health), slots: [] };
	const range = { from_id: probing.from_id, before_id: null };
	const waiting: Delivery[] = [];
	let [read, reached] = [0, probing.from_id];
	for await (const delivery of deliveriesFrom(before.workspace_id, range, store)) {
		if (read >= READ_AT_MOST) break;
		read += 1;
		if (waiting.length === 0) reached = delivery.id;
		const waits = delivery.endpoint_id === before.id && delivery.status === 'pending' && delivery.attempt_count === 0;
		if (waits && delivery.waiting_since !== undefined) waiting.push(delivery);
	}
	const health = { ...after.health, probing: { ...probing, from_id: reached } };
	const booked = bookWaiting(health, waiting, clock.now());
	return { put: putHealth({ ...after, version: before.version }, booked.health), slots: booked.slots };
}

function tell({ endpoint: { id: endpoint_id }, warn, disabled, breaker }: AfterAttempt, { log }: Deps): void {
	if (warn !== null) log.warn('endpoint failing', { endpoint_id, outcome: warn });
	if (disabled !== null) log.warn('endpoint disabled', { endpoint_id, outcome: disabled });
	if (breaker === 'opened' || breaker === 'closed') log.info('breaker', { endpoint_id, outcome: breaker });
}
