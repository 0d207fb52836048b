import type { OpsDeps } from '../../ops/connect.ts';
import type { Event } from '../../shared/domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../shared/domain/webhooks/webhook-endpoint.ts';

/** An endpoint with what the API does not show: how it does. No secret is in it. */
export type InspectedEndpoint = Pick<
	WebhookEndpoint,
	'id' | 'url' | 'description' | 'events' | 'status' | 'disabled_reason' | 'created_at' | 'updated_at'
> & {
	readonly breaker: 'closed' | 'open';
	/** When an open breaker lets the next delivery through. */
	readonly next_probe_at: string | null;
	readonly failing_since: string | null;
	readonly consecutive_failures: number;
	readonly live_secrets: number;
};

/** What each attempt of a delivery sends, but for the time and the signature. */
export type InspectedRequest = {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
};

function inspected(endpoint: WebhookEndpoint): InspectedEndpoint {
	const { id, url, description, events, status, disabled_reason, created_at, updated_at } = endpoint;
	const { held_until, failing_since, consecutive_failures } = endpoint.health;
	return {
		...{ id, url, description, events, status, disabled_reason, created_at, updated_at },
		breaker: held_until === null ? 'closed' : 'open',
		...{ next_probe_at: held_until, failing_since, consecutive_failures },
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

export async function inspectEndpoints(
	workspace_id: string,
	{ store }: OpsDeps,
): Promise<readonly InspectedEndpoint[]> {
	return (await store.endpointsOf(workspace_id)).map(inspected);
}

/** What a delivery sends; null when its endpoint or event is gone, or it is another workspace's. */
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

/** Names that visitors gave, by call: the API's calls have none. Each call is read once, for its name never changes. */
export function visitorNames() {
	const known = new Map<string, string | null>();
	return async (ids: readonly string[], { store }: OpsDeps): Promise<Readonly<Record<string, string>>> => {
		for (const id of ids) {
			if (!known.has(id)) known.set(id, (await store.get('call', { id }))?.visitor_name ?? null);
		}
		return Object.fromEntries(ids.flatMap((id) => (known.get(id) ? [[id, known.get(id) ?? '']] : [])));
	};
}
