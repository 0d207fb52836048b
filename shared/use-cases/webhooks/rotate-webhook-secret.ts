import type { Sealed } from '../../domain/kernel/sealed.ts';
import { type WebhookEndpoint, withNewSecret } from '../../domain/webhooks/webhook-endpoint.ts';
import { newSecret, WEBHOOK_SECRET_BYTES } from '../../domain/webhooks/webhook-signature.ts';
import type { Ports } from '../../ports/ports.ts';
import type { SecretOwner, SecretVault } from '../../ports/vault.ts';
import { change, type ForRequest, putNext } from '../kernel/unit-of-work.ts';

/**
 * A new signing secret. `secret` is the text of the secret, which only this response contains. `sealed_secret` is the
 * encrypted form that is stored.
 */
export type NewSecret = { readonly secret: string; readonly sealed_secret: Sealed };
export type SecretDeps = Pick<Ports, 'store' | 'clock' | 'ids'> & {
	readonly vault: SecretVault;
};

export async function makeSecret(
	owner: SecretOwner,
	{ ids, vault }: Pick<SecretDeps, 'ids' | 'vault'>,
): Promise<NewSecret> {
	const secret = newSecret(ids.random(WEBHOOK_SECRET_BYTES));
	return { secret, sealed_secret: await vault.sealSecret(secret, owner) };
}

export type RotateWebhookSecretResult =
	| ({ readonly outcome: 'rotated'; readonly endpoint: WebhookEndpoint } & NewSecret)
	| { readonly outcome: 'not_found' };

/**
 * Creates a new signing secret, which is shown once. At most `MAX_LIVE_SECRETS` secrets may sign at the same time. If the
 * new secret exceeds that number, the oldest secret stops signing at once.
 */
export async function rotateWebhookSecret(
	key: SecretOwner,
	overlap_seconds: number,
	deps: SecretDeps & ForRequest<RotateWebhookSecretResult>,
): Promise<RotateWebhookSecretResult> {
	const { store, clock } = deps;
	const signingSecret = await makeSecret(key, deps);
	return change(
		{
			read: () => store.get('webhook_endpoint', key),
			decide: (before) => {
				if (before === null) return { result: { outcome: 'not_found' } };
				const endpoint = withNewSecret(before, signingSecret.sealed_secret, { overlap_seconds, now_ms: clock.now() });
				return {
					result: { outcome: 'rotated', endpoint, ...signingSecret },
					writes: { endpoint: putNext('webhook_endpoint', endpoint) },
				};
			},
		},
		deps.store,
		deps.keepResponse,
	);
}
