import { type Attempt, attemptsIn, type Delivery } from '../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Store } from '../../ports/store.ts';
import { searchPage } from '../kernel/list-page.ts';
import { failureParts } from './undelivered.ts';

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

/** How many of the workspace's newest deliveries that failed for good or are held are searched. */
export const MOST_FAILED_SEARCHED = 100;

/** `is_cut`: whether no failure was found, and there are older deliveries that failed or are held and were not searched. */
export type LastAttemptsOfAll = LastAttempts & { readonly is_cut: boolean };

/**
 * Like `lastAttempts`, but the failure may also be that of an older delivery that failed for good or is held. A delivery
 * is retried for days, so its last attempt may be later than all attempts of the newest deliveries.
 */
export async function lastAttemptsOfAll(
	endpoint: Pick<WebhookEndpoint, 'workspace_id' | 'id'>,
	{ store }: Pick<Ports, 'store'>,
): Promise<LastAttemptsOfAll> {
	const { workspace_id, id } = endpoint;
	const accept = ({ endpoint_id, last_attempt }: Pick<Delivery, 'endpoint_id' | 'last_attempt'>) =>
		endpoint_id === id && (last_attempt?.error ?? null) !== null;
	const range = { workspace_id, from_id: null, before_id: null, parts: failureParts, most: MOST_FAILED_SEARCHED };
	const [newest, failed] = await Promise.all([
		lastAttempts(endpoint, { store }),
		searchPage(
			'delivery',
			{ ...range, limit: LATEST_DELIVERIES },
			{ fields: ['endpoint_id', 'last_attempt'], accept },
			store,
		),
	]);
	const attempts = [newest.failure, ...failed.items.map(({ last_attempt }) => last_attempt)];
	const failure = newestOf(
		attempts.filter((each) => each !== null),
		false,
	);
	return { ...newest, failure, is_cut: failure === null && failed.next_before_id !== null };
}

function newestOf(attempts: readonly Attempt[], isSuccess: boolean): Attempt | null {
	const own = attempts.filter(({ error }) => (error === null) === isSuccess);
	return own.reduce<Attempt | null>((a, b) => (a === null || b.started_at > a.started_at ? b : a), null);
}
