import type { Delivery } from '../../shared/domain/webhooks/delivery.ts';
import { newDelivery } from '../../shared/domain/webhooks/delivery-machine.ts';
import { DUE_SHARDS } from '../../shared/ports/registry.ts';
import { bearer, expectStatus, listIn, type Site, SmokeFailure, singleIn, verifiedWebhooks, waitFor } from './probe.ts';

/** An endpoint of the smoke test. The endpoint's secret signs the webhooks in the inbox. */
export type Endpoint = { readonly id: string; readonly secret: string };

const SWEEP_MS = 150_000;
const DELIVERY_MS = 90_000;
/** How late work may be. The alarm `sweep-late` has the same threshold. */
const OVERDUE_MS = 300_000;

/**
 * The endpoint's URL if there is no inbox. Without an inbox, the smoke test deletes the endpoint and does not place a call,
 * so no webhook is sent to this URL.
 */
const NOWHERE = 'https://example.com/call-back-smoke-test';

export async function createCheckEndpoint(site: Site): Promise<Endpoint> {
	const headers = bearer(site.api_key);
	const events = ['call.requested', 'call.ringing', 'call.connected', 'call.completed', 'call.failed'];
	const body = { url: site.inbox?.url ?? NOWHERE, events };
	const endpointResponse = await expectStatus(site, '/webhook-endpoints', 201, {
		body,
		headers,
	});
	const { id, secret } = singleIn(endpointResponse);
	return { id, secret: String(secret) };
}

/**
 * Does with an endpoint what a customer can do: lists endpoints, reads the endpoint, recovers it, and replaces its secret.
 * If there is an inbox, also sends a test webhook to the endpoint. Returns the endpoint with its new signing secret.
 */
export async function exerciseEndpoint(site: Site, { id }: Endpoint): Promise<Endpoint> {
	const headers = bearer(site.api_key);
	const path = `/webhook-endpoints/${id}`;
	await expectStatus(site, '/webhook-endpoints', 200, { headers });
	await expectStatus(site, path, 200, { headers });
	await expectStatus(site, `${path}/recover`, 202, {
		body: { since: new Date(Date.now() - 3_600_000).toISOString(), dry_run: true },
		headers,
	});
	const rotation = await expectStatus(site, `${path}/rotate-secret`, 200, {
		method: 'POST',
		headers,
	});
	const secret = String(singleIn(rotation)['secret']);
	if (site.inbox !== null) {
		await expectStatus(site, `${path}/test`, 200, { body: { event: 'call.failed' }, headers });
	}
	return { id, secret };
}

/**
 * Checks that the sweep runs. This function stores a delivery whose message is missing, as if it had been lost. Only the
 * sweep can find such a delivery. The delivery has no event, so in the end the delivery is canceled.
 */
export async function sweepRuns(site: Site, { id }: Endpoint): Promise<void> {
	const headers = bearer(site.api_key);
	for (const status of ['disabled', 'enabled']) {
		const change = { method: 'PATCH', body: { status }, headers };
		await expectStatus(site, `/webhook-endpoints/${id}`, 200, change);
	}
	const { store, ids } = site.deps;
	const lost = lostDelivery(ids.next(), id, site.workspace_id);
	await store.commit([{ op: 'put', record: 'delivery', item: lost, guard: { if: 'absent' } }]);
	await waitFor('sweep', 'the sweep finds overdue work', SWEEP_MS, async () => {
		const delivery = await store.get('delivery', { id: lost.id });
		return delivery?.status === 'canceled' ? true : null;
	});
}

const HOUR_MS = 3_600_000;

/** A delivery that was due an hour ago, for an event that does not exist. */
function lostDelivery(eventId: string, endpointId: string, workspace_id: string): Delivery {
	const atMs = Date.now() - HOUR_MS;
	const event = {
		id: eventId,
		workspace_id,
		subject_id: eventId,
		kind: 'call.failed',
		created_at: new Date(atMs).toISOString(),
		expires_at_epoch_s: Math.floor((Date.now() + HOUR_MS) / 1000),
	} as const;
	return newDelivery(event, { id: endpointId }, atMs);
}

/** Checks how late the most overdue work is, with the same index that the sweep reads. */
export async function sweepIsInTime({ deps: { store } }: Site): Promise<void> {
	const nowMs = Date.now();
	const shards = Array.from({ length: DUE_SHARDS }, (_, shard) =>
		store.due(shard, new Date(nowMs).toISOString(), 1, null),
	);
	const due = (await Promise.all(shards)).flat();
	const lateMs = Math.max(0, ...due.map(({ due_at }) => nowMs - Date.parse(due_at)));
	if (lateMs > OVERDUE_MS) throw new SmokeFailure('sweep', `work has been due for ${Math.round(lateMs / 1000)} s`);
}

/** Expects the four events of a completed call, each signed with the endpoint's secret. */
export async function webhooksArrive(site: Site, { secret }: Endpoint, callId: string): Promise<void> {
	const { inbox } = site;
	if (inbox === null) return;
	await waitFor('deliver-webhook', 'four verified webhooks of the call', DELIVERY_MS, async () => {
		const webhooks = await verifiedWebhooks(inbox.shows, secret);
		const mine = webhooks.flatMap((one) => (one.verified && one.event.data['id'] === callId ? [one.event.event] : []));
		return new Set(mine).size === 4 ? mine : null;
	});
	const headers = bearer(site.api_key);
	const path = '/webhook-deliveries?status=succeeded';
	const foundDelivery = await waitFor('list-webhook-deliveries', 'a delivery on the list', 15_000, async () => {
		const deliveries = await expectStatus(site, path, 200, { headers });
		return listIn(deliveries)[0] ?? null;
	});
	const delivery = `/webhook-deliveries/${foundDelivery.id}`;
	await expectStatus(site, delivery, 200, { headers });
	await expectStatus(site, `${delivery}/retry`, 202, { method: 'POST', headers });
}

export async function deleteCheckEndpoint(site: Site, { id }: Endpoint): Promise<void> {
	const request = { method: 'DELETE', headers: bearer(site.api_key) };
	await expectStatus(site, `/webhook-endpoints/${id}`, 204, request);
}
