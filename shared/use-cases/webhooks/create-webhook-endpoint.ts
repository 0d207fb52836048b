import type { EventKind } from '../../domain/webhooks/event.ts';
import { HEALTHY, MAX_ENDPOINTS_PER_WORKSPACE, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import { newSecret, WEBHOOK_SECRET_BYTES } from '../../domain/webhooks/webhook-signature.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Store, Write } from '../../ports/store.ts';
import type { SecretVault } from '../../ports/vault.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import { changeRoster, readRoster } from './endpoint-roster.ts';

export type CreateWebhookEndpointInput = {
	readonly workspace_id: string;
	readonly url: string;
	readonly description: string | null;
	readonly events: readonly EventKind[];
	/** Writes that belong into the same transaction: the kept answer under an Idempotency-Key. */
	readonly alongside: (endpoint: WebhookEndpoint, sealed_secret: string) => readonly Write[];
};
type Deps = {
	readonly store: Store;
	readonly clock: Clock;
	readonly ids: Ids;
	readonly vault: SecretVault;
	readonly sender: Pick<WebhookSender, 'check'>;
};
export type CreateWebhookEndpointOutcome =
	| { readonly created: WebhookEndpoint; readonly secret: string }
	| { readonly refused: 'webhook_url_not_allowed'; readonly reason: string }
	| { readonly refused: 'limit_reached' | 'idempotency_conflict' };

/**
 * Subscribes an address, after the same check of where it leads that every attempt makes.
 */
export async function createWebhookEndpoint(
	input: CreateWebhookEndpointInput,
	deps: Deps,
): Promise<CreateWebhookEndpointOutcome> {
	const target = await deps.sender.check(input.url);
	if (!target.allowed) return { refused: 'webhook_url_not_allowed', reason: target.reason };
	const secret = newSecret(deps.ids.random(WEBHOOK_SECRET_BYTES));
	const now_ms = deps.clock.now();
	const id = deps.ids.next(now_ms);
	const sealed = await deps.vault.sealSecret(secret, { workspace_id: input.workspace_id, id });
	const now = new Date(now_ms).toISOString();
	const endpoint: WebhookEndpoint = {
		id,
		version: 1,
		workspace_id: input.workspace_id,
		url: target.url,
		description: input.description,
		events: input.events,
		status: 'enabled',
		disabled_reason: null,
		secrets: [{ sealed, expires_at: null }],
		health: HEALTHY,
		created_at: now,
		updated_at: now,
	};
	return place(endpoint, input.alongside(endpoint, sealed), secret, deps);
}

async function place(
	endpoint: WebhookEndpoint,
	alongside: readonly Write[],
	secret: string,
	{ store }: Deps,
): Promise<CreateWebhookEndpointOutcome> {
	for (;;) {
		const roster = await readRoster(endpoint.workspace_id, store);
		if (roster.count >= MAX_ENDPOINTS_PER_WORKSPACE) return { refused: 'limit_reached' };
		const outcome = await store.commit([
			changeRoster(roster, 1),
			{ op: 'put', record: 'webhook_endpoint', item: endpoint, guard: { if: 'absent' } },
			...alongside,
		]);
		if (outcome.committed) return { created: endpoint, secret };
		if (outcome.refused.some((position) => position >= 2)) return { refused: 'idempotency_conflict' };
	}
}
