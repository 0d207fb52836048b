import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { asksAgainAt, decideDelivery } from '../../domain/webhooks/delivery-machine.ts';
import { isUntried } from '../../domain/webhooks/delivery-state.ts';
import { admit, laneOf } from '../../domain/webhooks/endpoint-breaker.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Queues } from '../../ports/queues.ts';
import type { Resumption } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';
import { tellOfGivenUp } from '../leads/endpoint-notice.ts';
import { putDelivery } from '../webhooks/attempt/claim-delivery.ts';
import type { EndpointCache } from '../webhooks/attempt/endpoint-cache.ts';
import { deliveryMessage } from '../webhooks/publish-event.ts';
import { reaches } from '../webhooks/resume-endpoint.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids' | 'log'> & {
	readonly turns: Turns;
};

/**
 * What one run of the sweep does with an overdue delivery that was never attempted. `queue`: its message may be lost. `wait`:
 * the breaker is open and another delivery has its lane. `leave`: a resumption of the endpoint sends it.
 */
export type Turns = (delivery: Delivery) => Promise<'queue' | 'wait' | 'leave'>;

/** Sends the delivery to its queue again, or postpones it, and notes when to look next; nothing while an attempt holds it. */
export async function handOver(id: string, deps: Deps): Promise<void> {
	const { store, queues, clock } = deps;
	const delivery = await store.get('delivery', { id });
	const item = delivery === null ? null : decideDelivery(delivery, { input: 'sweep' }, clock.now());
	if (delivery === null || item === null) return;
	if (delivery.status === 'failed') {
		await tellOfGivenUp(delivery, deps);
		if (!(await pointTo(delivery, queues))) return;
	}
	const turn = isUntried(delivery, clock.now()) ? await deps.turns(delivery) : 'queue';
	if (turn === 'leave') return;
	if (turn === 'wait') return postpone(delivery, deps);
	const outcome = await store.commit([putDelivery(item, delivery.version)]);
	if (!outcome.committed || item.due_at === null) return;
	await queues.send(item.attempt_count === 0 ? 'deliveries' : 'retries', [deliveryMessage(item)]);
}

/** If the breaker closes before this write, the resumption meets it and decides again. */
async function postpone(delivery: Delivery, { store, clock, ids }: Deps): Promise<void> {
	const now_ms = clock.now();
	const random = (ids.random(1)[0] ?? 0) / 256;
	const item = decideDelivery(delivery, { input: 'wait', at_ms: asksAgainAt(delivery, now_ms, random) }, now_ms);
	if (item !== null) await store.commit([putDelivery(item, delivery.version)]);
}

/**
 * Sends a pointer to an exhausted delivery to the dead-letter queue, for operators; false if the queue did not accept it.
 */
async function pointTo(delivery: Delivery, queues: Queues): Promise<boolean> {
	const { message, ...rest } = deliveryMessage(delivery);
	const { sent } = await queues.send('dead-letters', [{ ...rest, message: { ...message, exhausted: true } }]);
	return sent === 1;
}

/** Decides for one run: a free lane gets the message of one delivery, not of all that wait for it. */
export function turnsOf(deps: {
	readonly store: Pick<Store, 'get'>;
	readonly clock: Clock;
	readonly endpoints: Pick<EndpointCache, 'latest'>;
}): Turns {
	const asked = new Set<string>();
	const resumptions = new Map<string, Promise<Resumption | null>>();
	function resumptionOf(id: string): Promise<Resumption | null> {
		const known = resumptions.get(id) ?? deps.store.get('resumption', { id });
		resumptions.set(id, known);
		return known;
	}
	return async (delivery) => {
		const { workspace_id, endpoint_id: id } = delivery;
		const endpoint = await deps.endpoints.latest({ workspace_id, id });
		if (endpoint === null || endpoint.status === 'disabled') return 'queue';
		if (endpoint.health.held_until === null) {
			const resumption = await resumptionOf(id);
			return resumption !== null && reaches(resumption, delivery) ? 'leave' : 'queue';
		}
		const { admit: admission } = admit(endpoint.health, delivery, deps.clock.now());
		if (admission === 'now') return 'queue';
		const lane = `${id} ${laneOf(delivery)}`;
		if (admission === 'wait' || asked.has(lane)) return 'wait';
		asked.add(lane);
		return 'queue';
	};
}
