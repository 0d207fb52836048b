import type { SecretOwner } from '../../ports/vault.ts';
import type { NewSecret } from '../../use-cases/webhooks/rotate-webhook-secret.ts';
import type { RestoreSecret } from '../edge/idempotency.ts';

/** A text that stands in a stored response in place of the signing secret. */
const PLACEHOLDER = '\u0000secret\u0000';

/** The response with an endpoint and its new signing secret. The response is stored with only the encrypted secret. */
export function responseWithSecret<E extends { readonly id: string }>({
	endpoint,
	secret,
	sealed_secret,
}: NewSecret & { readonly endpoint: E }) {
	return {
		resource_id: endpoint.id,
		body: { data: { ...endpoint, secret: PLACEHOLDER } },
		secret: { sealed: sealed_secret, putInto: (body: string) => withSecret(body, secret) },
	};
}

/**
 * Returns a function that decrypts the signing secret of a stored response. The secret belongs to an endpoint of the same
 * workspace.
 */
export function restoreSigningSecret(
	openSecret: (sealed: string, owner: SecretOwner) => Promise<string>,
): RestoreSecret {
	return async (response, { sealed_secret, resource_id }, workspace_id) => {
		if (sealed_secret === null || resource_id === null) return response;
		const secret = await openSecret(sealed_secret, { workspace_id, id: resource_id });
		return { ...response, body: withSecret(response.body ?? '', secret) };
	};
}

/** Replaces the placeholder with the secret. A text that the customer has entered may contain the placeholder, too. */
function withSecret(body: string, secret: string): string {
	// The secret is the last field of its response, so the last occurrence is replaced.
	const placeholder = JSON.stringify(PLACEHOLDER).slice(1, -1);
	const at = body.lastIndexOf(placeholder);
	return body.slice(0, at) + secret + body.slice(at + placeholder.length);
}
