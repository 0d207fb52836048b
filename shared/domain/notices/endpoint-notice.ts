import type { Delivery } from '../webhooks/delivery.ts';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.ts';
import { type AboutEndpoint, type EndpointFact, noticeChannels, pendingNotice } from './team-notice.ts';

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

/**
 * The notices about an endpoint that the service has disabled, one for each channel. There are none if a person has
 * disabled the endpoint. The notices' ids contain the endpoint's version, so that there are new notices each time the
 * endpoint is disabled.
 */
export function disabledNotices(endpoint: WebhookEndpoint, nowMs: number): readonly AboutEndpoint[] {
	const { id: endpoint_id, disabled_reason: reason, workspace_id, version } = endpoint;
	if (reason === null || reason === 'manual') return [];
	const fact = { fact: 'disabled', endpoint_id, at: iso(nowMs), reason } as const;
	return notices(fact, String(version), workspace_id, nowMs);
}

/**
 * The notices about an exhausted delivery, one for each channel. The notices' ids contain the endpoint and the UTC day. So
 * there is one set of notices a day for each endpoint, however many of its deliveries are exhausted.
 */
export function exhaustedNotices(delivery: Delivery, nowMs: number): readonly AboutEndpoint[] {
	const { id: delivery_id, endpoint_id, created_at: event_at, last_attempt, workspace_id } = delivery;
	const at = iso(nowMs);
	const fact = {
		fact: 'gave_up',
		endpoint_id,
		at,
		delivery_id,
		event_at,
		error: last_attempt?.error ?? null,
		response_status: last_attempt?.response_status ?? null,
	} as const;
	return notices(fact, at.slice(0, 10), workspace_id, nowMs);
}

/**
 * These notices are due for the sweep at once, and the sweep queues them, because the worker that disables an endpoint has
 * no permission to queue notices.
 */
function notices(fact: EndpointFact, occasion: string, workspaceId: string, nowMs: number): readonly AboutEndpoint[] {
	const subject = `endpoint#${fact.endpoint_id}#${fact.fact}#${occasion}`;
	return noticeChannels.map((channel) => ({
		...pendingNotice(subject, channel, workspaceId, nowMs),
		endpoint: fact,
		due_at: iso(nowMs),
	}));
}
