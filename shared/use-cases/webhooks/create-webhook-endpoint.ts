import type { CustomHeaders } from '../../domain/webhooks/custom-headers.ts';
import { newEndpoint } from '../../domain/webhooks/endpoint-machine.ts';
import type { EventKind } from '../../domain/webhooks/event.ts';
import { MAX_ENDPOINTS_PER_WORKSPACE, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import { newSecret, WEBHOOK_SECRET_BYTES } from '../../domain/webhooks/webhook-signature.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Store } from '../../ports/store.ts';
import type { SecretVault } from '../../ports/vault.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import { type Answering, change } from '../kernel/change.ts';
import { sealHeaders } from './custom-headers.ts';
import { changeRoster, readRoster } from './endpoint-roster.ts';

export type CreateWebhookEndpointInput = {
	readonly workspace_id: string;
	readonly url: string;
	readonly description: string | null;
	readonly events: readonly EventKind[];
	readonly headers?: CustomHeaders | null | undefined;
};
export type CreateWebhookEndpointResult =
	| {
			readonly outcome: 'created';
			readonly endpoint: WebhookEndpoint;
			readonly secret: string;
			readonly sealed_secret: string;
	  }
	| { readonly outcome: 'webhook_url_not_allowed'; readonly reason: string }
	| { readonly outcome: 'limit_reached' };
type Deps = Answering<CreateWebhookEndpointResult> & {
	readonly store: Store;
	readonly clock: Clock;
	readonly ids: Ids;
	readonly vault: SecretVault;
	readonly sender: Pick<WebhookSender, 'check'>;
};

/** Creates an endpoint, after the same check of its target that every attempt makes. */
export async function createWebhookEndpoint(
	input: CreateWebhookEndpointInput,
	deps: Deps,
): Promise<CreateWebhookEndpointResult> {
	const { workspace_id, description, events } = input;
	const target = await deps.sender.check(input.url);
	if (!target.allowed) return { outcome: 'webhook_url_not_allowed', reason: target.reason };
	const secret = newSecret(deps.ids.random(WEBHOOK_SECRET_BYTES));
	const now_ms = deps.clock.now();
	const id = deps.ids.next(now_ms);
	const owner = { workspace_id, id };
	const [sealed_secret, sealed] = await Promise.all([
		deps.vault.sealSecret(secret, owner),
		sealHeaders(input.headers ?? null, owner, deps.vault),
	]);
	const given = { ...owner, ...sealed, url: target.url, description, events };
	const endpoint = newEndpoint(given, sealed_secret, now_ms);
	return change(
		{
			read: () => readRoster(workspace_id, deps.store),
			decide: (roster) => {
				if (roster.count >= MAX_ENDPOINTS_PER_WORKSPACE) return { result: { outcome: 'limit_reached' } };
				const created = { op: 'put', record: 'webhook_endpoint', item: endpoint, guard: { if: 'absent' } } as const;
				return {
					result: { outcome: 'created', endpoint, secret, sealed_secret },
					writes: { roster: changeRoster(roster, 1), endpoint: created },
				};
			},
		},
		deps.store,
		deps.keepAnswer,
	);
}
