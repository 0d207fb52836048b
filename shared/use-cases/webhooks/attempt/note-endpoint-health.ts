import type { Attempt, Delivery } from '../../../domain/webhooks/delivery.ts';
import { decideDelivery } from '../../../domain/webhooks/delivery-machine.ts';
import { isUntried } from '../../../domain/webhooks/delivery-state.ts';
import { bookWaiting, isHealthy, laneOf, type Slot } from '../../../domain/webhooks/endpoint-breaker.ts';
import { decideEndpoint, type EndpointDecision, signOf } from '../../../domain/webhooks/endpoint-machine.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { Write } from '../../../ports/store.ts';
import { change, type Proposal } from '../../kernel/change.ts';
import { deliveryMessage } from '../publish-event.ts';
import { deliveriesFrom, letWaitingGo, resumeEndpoint } from '../resume-endpoint.ts';
import { putDelivery, putHealth } from './claim-delivery.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'log'> & {
	readonly whenDisabled: WhenDisabled;
};
/** What is to be committed with an endpoint that an attempt switches off. */
export type WhenDisabled = (endpoint: WebhookEndpoint, now_ms: number) => readonly Write[];

/**
 * The number of the workspace's deliveries to read after a failed probe, to find the next ones: at first few, and more only
 * while none was found for the lane that the probe has left.
 */
const READ = { first: 20, most: 500 } as const;
/** Waiting deliveries are sent at once for this long; the sweep sends the rest. */
const SEND_MS = 5000;

/**
 * Records the effect of an attempt on its endpoint's health. A success of a healthy endpoint writes nothing, so the
 * endpoint is not a hot item; concurrent failures are written one after another. When a probe fails, deliveries without an
 * attempt get the next slots; when the breaker closes, waiting deliveries are sent.
 */
export async function noteHealth(
	seen: WebhookEndpoint,
	delivery: Delivery,
	attempt: Attempt,
	deps: Deps,
): Promise<void> {
	const { store, clock } = deps;
	const sign = signOf(attempt);
	if (sign === 'succeeded' && isHealthy(seen.health)) return;
	const started_ms = Date.parse(attempt.started_at);
	await change<WebhookEndpoint | null, null>(
		{
			read: () => store.get('webhook_endpoint', { workspace_id: seen.workspace_id, id: seen.id }),
			decide: async (before) => {
				const input = { input: 'attempted', sign, delivery, started_ms } as const;
				const after = before === null ? null : decideEndpoint(before, input, clock.now());
				return before === null || after === null ? { result: null } : noted(before, after, delivery, deps);
			},
		},
		deps.store,
	);
}

async function noted(
	before: WebhookEndpoint,
	after: EndpointDecision,
	attempted: Delivery,
	deps: Deps,
): Promise<Proposal<null>> {
	const { clock, queues } = deps;
	const guard = { if: 'version', version: before.version } as const;
	const endpoint: Write = { op: 'put', record: 'webhook_endpoint', item: after.endpoint, guard };
	switch (after.breaker) {
		case 'as_it_was':
		case 'opened': {
			const also = after.disabled === null ? [] : deps.whenDisabled(after.endpoint, clock.now());
			return { result: null, writes: { endpoint, also }, afterwards: async () => tell(after, deps) };
		}
		case 'closed':
			return {
				result: null,
				writes: { endpoint, resumption: await letWaitingGo(before, deps) },
				afterwards: async () => {
					await resumeEndpoint(before.id, clock.now() + SEND_MS, deps);
					tell(after, deps);
				},
			};
		case 'probed': {
			const now_ms = clock.now();
			const { put, slots } = await withNextProbes(before, after.endpoint, attempted, deps);
			const moved = slots.flatMap(({ delivery, at_ms }) => {
				const item = decideDelivery(delivery, { input: 'wait', at_ms }, now_ms);
				return item === null ? [] : [{ delivery, at_ms, item }];
			});
			const messages = moved.map(({ item, at_ms }) => deliveryMessage(item, at_ms - now_ms));
			return {
				result: null,
				writes: { endpoint: put, probes: moved.map(({ delivery, item }) => putDelivery(item, delivery.version)) },
				afterwards: async () => {
					if (messages.length > 0) await queues.send('retries', messages);
					tell(after, deps);
				},
			};
		}
	}
}

/**
 * Books slots for deliveries without an attempt, one in every free lane. Only the lane of the failed first attempt is likely
 * to be free while others wait: a delivery that arrives at a free lane takes it.
 */
async function withNextProbes(
	before: WebhookEndpoint,
	after: WebhookEndpoint,
	probe: Delivery,
	{ store, clock }: Deps,
): Promise<{ readonly put: Write; readonly slots: readonly Slot[] }> {
	const { probing } = after.health;
	if (probing === undefined) return { put: putHealth(before, after.health), slots: [] };
	const range = { from_id: probing.from_id, before_id: null };
	const left = laneOf(probe);
	const waiting: Delivery[] = [];
	let [read, reached] = [0, probing.from_id];
	for await (const delivery of deliveriesFrom(before.workspace_id, range, store, READ.first)) {
		read += 1;
		if (waiting.length === 0) reached = delivery.id;
		if (delivery.endpoint_id === before.id && isUntried(delivery, clock.now())) waiting.push(delivery);
		const isEnough = left === 'again' || waiting.some((next) => laneOf(next) === left);
		if (read >= (isEnough ? READ.first : READ.most)) break;
	}
	const health = { ...after.health, probing: { ...probing, from_id: reached } };
	const booked = bookWaiting(health, waiting, clock.now());
	return { put: putHealth({ ...after, version: before.version }, booked.health), slots: booked.slots };
}

function tell({ endpoint: { id: endpoint_id }, warn, disabled, breaker }: EndpointDecision, { log }: Deps): void {
	if (warn !== null) log.warn('endpoint failing', { endpoint_id, outcome: warn });
	if (disabled !== null) log.warn('endpoint disabled', { endpoint_id, outcome: disabled });
	if (breaker === 'opened' || breaker === 'closed') log.info('breaker', { endpoint_id, outcome: breaker });
}
