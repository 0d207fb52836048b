import { disabledNotices, exhaustedNotices } from '../../domain/notices/endpoint-notice.ts';
import type { AboutEndpoint } from '../../domain/notices/team-notice.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Store, Write } from '../../ports/store.ts';
import { newNoticeWrite, sendNotices } from './new-notices.ts';
import type { NoticePlan } from './notice-plan.ts';

/**
 * The writes of the team's notices about an endpoint that is being disabled. Commit them together with the endpoint. The
 * sweep then queues the notices.
 */
export function disabledNoticeWrites(endpoint: WebhookEndpoint, nowMs: number): readonly Write[] {
	return disabledNotices(endpoint, nowMs).map(newNoticeWrite);
}

/** Notifies the team of exhausted deliveries, at most once a day for each endpoint. Safe to repeat. */
export async function notifyOfExhausted(
	delivery: Delivery,
	{ store, queues, clock }: Pick<Ports, 'store' | 'queues' | 'clock'>,
): Promise<void> {
	const notices = exhaustedNotices(delivery, clock.now());
	const [first] = notices;
	// Read first, because a read is cheaper than a refused write, and an endpoint may have thousands of exhausted
	// deliveries.
	if (first === undefined || (await store.get('team_notice', { id: first.id })) !== null) return;
	const { committed } = await store.commit(notices.map(newNoticeWrite));
	if (committed) await sendNotices(notices, queues);
}

/**
 * The message about an endpoint. If the endpoint was deleted, there is no message. If the message would say that the
 * endpoint is disabled, but the endpoint was enabled again, there is no message either.
 */
export async function planEndpoint(
	{ workspace_id, endpoint: fact }: AboutEndpoint,
	{ store }: { readonly store: Pick<Store, 'get'> },
): Promise<NoticePlan> {
	const endpoint = await store.get('webhook_endpoint', { workspace_id, id: fact.endpoint_id });
	const isOver = endpoint === null || (fact.fact === 'disabled' && endpoint.status === 'enabled');
	if (isOver) return { tell: false, status: 'canceled', code: 'not_wanted' };
	return { tell: true, about: { fact, workspace_id, url: endpoint.url }, writes: [] };
}
