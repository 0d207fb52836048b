import type { OpsDeps } from '../../ops/connect.ts';
import type { Event } from '../../shared/domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../shared/domain/webhooks/webhook-endpoint.ts';

/** An endpoint with its health, which the API does not show. It contains no secret. */
export type InspectedEndpoint = Pick<
	WebhookEndpoint,
	'id' | 'url' | 'description' | 'events' | 'status' | 'disabled_reason' | 'created_at' | 'updated_at'
> & {
	readonly breaker: 'closed' | 'open';
	/** The time of the next probe while the breaker of an enabled endpoint is open. */
	readonly next_attempt_at: string | null;
	readonly failing_since: string | null;
	readonly consecutive_failures: number;
	readonly live_secrets: number;
};

/** The request of each attempt of a delivery, without time and signature. */
export type InspectedRequest = {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
};

function inspect(endpoint: WebhookEndpoint): InspectedEndpoint {
	const { id, url, description, events, status, disabled_reason, created_at, updated_at } = endpoint;
	const { open_until, failing_since, consecutive_failures } = endpoint.health;
	return {
		id,
		url,
		description,
		events,
		status,
		disabled_reason,
		created_at,
		updated_at,
		breaker: open_until === null ? 'closed' : 'open',
		next_attempt_at: status === 'disabled' ? null : open_until,
		failing_since,
		consecutive_failures,
		live_secrets: endpoint.secrets.length,
	};
}

function requestOf(event: Event, endpoint: WebhookEndpoint, delivery_id: string): InspectedRequest {
	const headers = {
		'content-type': 'application/json',
		'service-event': event.kind,
		'service-delivery': delivery_id,
		'service-sequence': String(event.sequence),
	};
	return { url: endpoint.url, headers, body: event.body };
}

const isFine = ({ status, failing_since }: InspectedEndpoint): boolean =>
	status === 'enabled' && failing_since === null;

/** The endpoints of a workspace, oldest first, but before all others those that fail or are disabled. */
export async function inspectEndpoints(
	workspace_id: string,
	{ store }: OpsDeps,
): Promise<readonly InspectedEndpoint[]> {
	const endpoints = (await store.endpointsOf(workspace_id)).map(inspect);
	return endpoints.sort((a, b) => Number(isFine(a)) - Number(isFine(b)));
}

/**
 * Returns the request of a delivery; null if its endpoint or event no longer exists, or it belongs to another workspace.
 */
export async function inspectRequest(
	workspace_id: string,
	delivery_id: string,
	{ store }: OpsDeps,
): Promise<InspectedRequest | null> {
	const delivery = await store.get('delivery', { id: delivery_id });
	if (delivery === null || delivery.workspace_id !== workspace_id) return null;
	const [endpoint, event] = await Promise.all([
		store.get('webhook_endpoint', { workspace_id, id: delivery.endpoint_id }),
		store.get('event', { subject_id: delivery.subject_id, kind: delivery.event }),
	]);
	return endpoint === null || event === null ? null : requestOf(event, endpoint, delivery_id);
}
