import { type Attempt, attemptsIn } from '../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Store } from '../../ports/store.ts';

export const LATEST_DELIVERIES = 10;

export type LastAttempts = {
	readonly read: number;
	readonly success: Attempt | null;
	readonly failure: Attempt | null;
};

/** The newest success and the newest failure among all attempts of the endpoint's newest deliveries. */
export async function lastAttempts(
	{ workspace_id, id: endpoint_id }: Pick<WebhookEndpoint, 'workspace_id' | 'id'>,
	{ store }: { readonly store: Pick<Store, 'list' | 'attemptsOf'> },
): Promise<LastAttempts> {
	const range = { from_id: null, before_id: null, limit: LATEST_DELIVERIES, part: { endpoint_id } };
	const deliveries = await store.list('delivery', workspace_id, range);
	// Read the earlier attempts, too, because a delivery that succeeded at its seventh attempt has failed six times before.
	const all = deliveries.map(async (delivery) =>
		attemptsIn(delivery, delivery.attempt_count > 1 ? await store.attemptsOf(delivery.id) : []),
	);
	const attempts = (await Promise.all(all)).flat();
	return { read: deliveries.length, success: newestOf(attempts, true), failure: newestOf(attempts, false) };
}

function newestOf(attempts: readonly Attempt[], isSuccess: boolean): Attempt | null {
	const own = attempts.filter(({ error }) => (error === null) === isSuccess);
	return own.reduce<Attempt | null>((a, b) => (a === null || b.started_at > a.started_at ? b : a), null);
}
