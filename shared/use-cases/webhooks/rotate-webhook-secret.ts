import { MAX_LIVE_SECRETS, type WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import { newSecret, WEBHOOK_SECRET_BYTES } from '../../domain/webhooks/webhook-signature.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Store, Write } from '../../ports/store.ts';
import type { SecretVault } from '../../ports/vault.ts';

/**
 * The endpoint with a new newest secret. Older live ones go on signing until `now + overlap`, up to `MAX_LIVE_SECRETS` in
 * all: one more retires the oldest at once.
 */
function rotated(endpoint: WebhookEndpoint, sealed: string, overlap_seconds: number, now: number): WebhookEndpoint {
	const until = new Date(now + overlap_seconds * 1000).toISOString();
	const older = endpoint.secrets
		.map((secret) => ({ ...secret, expires_at: earlier(secret.expires_at, until) }))
		.filter((secret) => Date.parse(secret.expires_at) > now)
		.slice(0, MAX_LIVE_SECRETS - 1);
	return {
		...endpoint,
		version: endpoint.version + 1,
		secrets: [{ sealed, expires_at: null }, ...older],
		updated_at: new Date(now).toISOString(),
	};
}

function earlier(at: string | null, other: string): string {
	return at === null || other < at ? other : at;
}

export type RotateOutcome =
	| { readonly rotated: WebhookEndpoint; readonly secret: string }
	| { readonly refused: 'not_found' | 'idempotency_conflict' };

/** Makes a new signing secret, shown once. At most `MAX_LIVE_SECRETS` sign; the oldest beyond that stops at once. */
export async function rotateWebhookSecret(
	key: { readonly workspace_id: string; readonly id: string },
	overlap_seconds: number,
	alongside: (endpoint: WebhookEndpoint, sealed_secret: string) => readonly Write[],
	deps: { readonly store: Store; readonly clock: Clock; readonly ids: Ids; readonly vault: SecretVault },
): Promise<RotateOutcome> {
	const secret = newSecret(deps.ids.random(WEBHOOK_SECRET_BYTES));
	const sealed = await deps.vault.sealSecret(secret, key);
	for (;;) {
		const endpoint = await deps.store.get('webhook_endpoint', key);
		if (endpoint === null) return { refused: 'not_found' };
		const item = rotated(endpoint, sealed, overlap_seconds, deps.clock.now());
		const guard = { if: 'version', version: endpoint.version } as const;
		const change = { op: 'put', record: 'webhook_endpoint', item, guard } as const;
		const outcome = await deps.store.commit([change, ...alongside(item, sealed)]);
		if (outcome.committed) return { rotated: item, secret };
		if (outcome.refused.some((position) => position >= 1)) return { refused: 'idempotency_conflict' };
	}
}
