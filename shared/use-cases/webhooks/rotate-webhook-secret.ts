import { type WebhookEndpoint, withNewSecret } from '../../domain/webhooks/webhook-endpoint.ts';
import { newSecret, WEBHOOK_SECRET_BYTES } from '../../domain/webhooks/webhook-signature.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Store } from '../../ports/store.ts';
import type { SecretVault } from '../../ports/vault.ts';
import { type Answering, change } from '../kernel/change.ts';

export type RotateWebhookSecretResult =
	| {
			readonly outcome: 'rotated';
			readonly endpoint: WebhookEndpoint;
			readonly secret: string;
			readonly sealed_secret: string;
	  }
	| { readonly outcome: 'not_found' };
type Deps = Answering<RotateWebhookSecretResult> & {
	readonly store: Store;
	readonly clock: Clock;
	readonly ids: Ids;
	readonly vault: SecretVault;
};

/** Creates a new signing secret, shown once. At most `MAX_LIVE_SECRETS` sign; the oldest beyond that stops at once. */
export async function rotateWebhookSecret(
	key: { readonly workspace_id: string; readonly id: string },
	overlap_seconds: number,
	deps: Deps,
): Promise<RotateWebhookSecretResult> {
	const { store, clock, ids, vault } = deps;
	const secret = newSecret(ids.random(WEBHOOK_SECRET_BYTES));
	const sealed_secret = await vault.sealSecret(secret, key);
	return change(
		{
			read: () => store.get('webhook_endpoint', key),
			decide: (before) => {
				if (before === null) return { result: { outcome: 'not_found' } };
				const endpoint = withNewSecret(before, sealed_secret, { overlap_seconds, now_ms: clock.now() });
				const guard = { if: 'version', version: before.version } as const;
				return {
					result: { outcome: 'rotated', endpoint, secret, sealed_secret },
					writes: { endpoint: { op: 'put', record: 'webhook_endpoint', item: endpoint, guard } },
				};
			},
		},
		deps.store,
		deps.keepAnswer,
	);
}
