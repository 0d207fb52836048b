import type { Attempt, Delivery } from '../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Store } from '../../ports/store.ts';

export const LATEST_DELIVERIES = 10;

export type LastAttempts = {
	readonly read: number;
	readonly success: Attempt | null;
	readonly failure: Attempt | null;
};

/** The last success and the last failure among the newest attempts of an endpoint's newest deliveries. */
export async function lastAttempts(
	{ workspace_id, id: endpoint_id }: Pick<WebhookEndpoint, 'workspace_id' | 'id'>,
	{ store }: { readonly store: Pick<Store, 'list'> },
): Promise<LastAttempts> {
	const range = { from_id: null, before_id: null, limit: LATEST_DELIVERIES, part: { endpoint_id } };
	const deliveries = await store.list('delivery', workspace_id, range);
	const newest = (isSuccess: boolean): Attempt | null => newestOf(deliveries, isSuccess);
	return { read: deliveries.length, success: newest(true), failure: newest(false) };
}

function newestOf(deliveries: readonly Delivery[], isSuccess: boolean): Attempt | null {
	const attempts = deliveries.flatMap(({ last_attempt }) => last_attempt ?? []);
	const own = attempts.filter(({ error }) => (error === null) === isSuccess);
	return own.reduce<Attempt | null>((a, b) => (a === null || b.started_at > a.started_at ? b : a), null);
}
