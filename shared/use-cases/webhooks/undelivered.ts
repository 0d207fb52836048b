import { lowestIdAt } from '../../domain/kernel/id.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../ports/ports.ts';

// What has not reached the endpoints. Each function reads a few of the newest deliveries, however many there are.

/** The parts of the list of deliveries with those that failed for good and those that are held. */
export const failureParts = [{ status: 'failed' }, { status: 'held' }] as const;

/** How many of an endpoint's newest deliveries are read. */
export const NEWEST_READ = 10;

export type Undelivered = {
	/** The newest delivery whose last attempt failed. Null if there is none among the deliveries that were read. */
	readonly newest: Delivery | null;
	/** How many of the deliveries that were read wait for their next attempt. */
	readonly waiting: number;
};

/**
 * What an endpoint that fails has not received. If the endpoint is not reachable, its newest deliveries wait without an
 * attempt. Then the failure is one of the first deliveries since the endpoint fails.
 */
export async function undelivered(
	{ id: endpoint_id, workspace_id, health }: WebhookEndpoint,
	{ store }: Pick<Ports, 'store'>,
): Promise<Undelivered> {
	const range = { from_id: null, before_id: null, limit: NEWEST_READ, part: { endpoint_id } };
	const latest = await store.list('delivery', workspace_id, range);
	const waiting = latest.filter(({ status }) => status === 'pending').length;
	const newest = latest.find(hasFailed);
	if (newest !== undefined || waiting < NEWEST_READ || health.failing_since === null) {
		return { newest: newest ?? null, waiting };
	}
	const from_id = lowestIdAt(Date.parse(health.failing_since));
	const first = await store.list('delivery', workspace_id, { ...range, from_id, oldest_first: true });
	return { newest: first.findLast(hasFailed) ?? null, waiting };
}

const hasFailed = ({ status, last_attempt }: Delivery): boolean =>
	status !== 'succeeded' && (last_attempt?.error ?? null) !== null;

/** The most deliveries that `failedSince` returns. */
export const MOST_FAILED = 5;

/**
 * The newest deliveries that failed for good and whose last attempt began at this time or later. A delivery that is sent
 * again is no longer one of them.
 */
export async function failedSince(
	workspaceId: string,
	sinceMs: number,
	{ store }: Pick<Ports, 'store'>,
): Promise<readonly Delivery[]> {
	const part = { status: 'failed' } as const;
	const range = { from_id: null, before_id: null, limit: MOST_FAILED, part };
	const failed = await store.list('delivery', workspaceId, range);
	return failed.filter(({ last_attempt }) => Date.parse(last_attempt?.started_at ?? '') >= sinceMs);
}
