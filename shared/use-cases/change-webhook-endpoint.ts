import type { EventKind } from '../domain/event.ts';
import { HEALTHY, type WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store, Write } from '../ports/store.ts';
import type { WebhookSender } from '../ports/webhook-sender.ts';

export type EndpointChange = {
	readonly url?: string | undefined;
	readonly description?: string | null | undefined;
	readonly events?: readonly EventKind[] | undefined;
	readonly status?: 'enabled' | 'disabled' | undefined;
};
export type ChangeWebhookEndpointOutcome =
	| { readonly changed: WebhookEndpoint }
	| { readonly refused: 'webhook_url_not_allowed'; readonly reason: string }
	| { readonly refused: 'not_found' | 'idempotency_conflict' };

/** The endpoint after the change. Enabling starts with a clean bill of health; disabling by hand says so. */
function changed(endpoint: WebhookEndpoint, change: EndpointChange, now: string): WebhookEndpoint {
	const status = change.status ?? endpoint.status;
	const enabling = status === 'enabled' && endpoint.status === 'disabled';
	return {
		...endpoint,
		version: endpoint.version + 1,
		url: change.url ?? endpoint.url,
		description: change.description === undefined ? endpoint.description : change.description,
		events: change.events ?? endpoint.events,
		status,
		disabled_reason: status === 'enabled' ? null : (endpoint.disabled_reason ?? 'manual'),
		health: enabling ? HEALTHY : endpoint.health,
		updated_at: now,
	};
}

/** Changes any of url, description, events and status. A new url is checked like a first one. */
export async function changeWebhookEndpoint(
	key: { readonly workspace_id: string; readonly id: string },
	change: EndpointChange,
	alongside: (endpoint: WebhookEndpoint) => readonly Write[],
	deps: { readonly store: Store; readonly clock: Clock; readonly sender: Pick<WebhookSender, 'check'> },
): Promise<ChangeWebhookEndpointOutcome> {
	const target = change.url === undefined ? null : await deps.sender.check(change.url);
	if (target !== null && !target.allowed) return { refused: 'webhook_url_not_allowed', reason: target.reason };
	for (;;) {
		const endpoint = await deps.store.get('webhook_endpoint', key);
		if (endpoint === null) return { refused: 'not_found' };
		const item = changed(endpoint, change, new Date(deps.clock.now()).toISOString());
		const guard = { if: 'version', version: endpoint.version } as const;
		const outcome = await deps.store.commit([
			{ op: 'put', record: 'webhook_endpoint', item, guard },
			...alongside(item),
		]);
		if (outcome.committed) return { changed: item };
		if (outcome.refused.some((position) => position >= 1)) return { refused: 'idempotency_conflict' };
	}
}
