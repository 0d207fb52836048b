import type { CustomHeaders } from '../../domain/webhooks/custom-headers.ts';
import { decideEndpoint, type EndpointEdit } from '../../domain/webhooks/endpoint-machine.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../ports/ports.ts';
import type { SecretVault } from '../../ports/vault.ts';
import type { TargetRefusal, WebhookSender } from '../../ports/webhook-sender.ts';
import { change, type ForRequest, putNext } from '../kernel/unit-of-work.ts';
import { sealHeaders } from './custom-headers.ts';

export type EndpointChange = Omit<EndpointEdit, 'sealed'> & {
	/** The new custom headers, which replace all current custom headers. Null removes the current headers. */
	readonly headers?: CustomHeaders | null | undefined;
};
export type ChangeWebhookEndpointResult =
	| { readonly outcome: 'changed'; readonly endpoint: WebhookEndpoint }
	| ({ readonly outcome: 'webhook_url_not_allowed' } & TargetRefusal)
	| { readonly outcome: 'not_found' | 'precondition_failed' };

type Deps = ForRequest<ChangeWebhookEndpointResult> &
	Pick<Ports, 'store' | 'clock'> & {
		readonly sender: Pick<WebhookSender, 'check'>;
		readonly vault: Pick<SecretVault, 'sealSecret'>;
	};

/**
 * Changes any of url, description, events, headers and status. A new url is checked in the same way as at creation.
 * Enabling an endpoint sends nothing by itself: held deliveries wait until a recovery is requested. If nothing changes,
 * nothing is written.
 */
export async function changeWebhookEndpoint(
	key: { readonly workspace_id: string; readonly id: string },
	requestedChange: EndpointChange,
	deps: Deps,
): Promise<ChangeWebhookEndpointResult> {
	const { store, clock, hasSeen } = deps;
	const target = requestedChange.url === undefined ? null : await deps.sender.check(requestedChange.url);
	if (target?.allowed === false) return { ...target, outcome: 'webhook_url_not_allowed' };
	const sealedHeaders =
		requestedChange.headers === undefined ? undefined : await sealHeaders(requestedChange.headers, key, deps.vault);
	const edit = { ...requestedChange, url: target?.url, sealed: sealedHeaders };
	return change(
		{
			read: () => store.get('webhook_endpoint', key),
			decide: (before) => {
				if (before === null) return { result: { outcome: 'not_found' } };
				if (hasSeen?.({ outcome: 'changed', endpoint: before }) === false) {
					return { result: { outcome: 'precondition_failed' } };
				}
				const after = decideEndpoint(before, { input: 'edit', edit }, clock.now());
				if (after === null) return { result: { outcome: 'changed', endpoint: before } };
				return {
					result: { outcome: 'changed', endpoint: after },
					writes: { endpoint: putNext('webhook_endpoint', after) },
				};
			},
		},
		deps.store,
		deps.keepResponse,
	);
}
