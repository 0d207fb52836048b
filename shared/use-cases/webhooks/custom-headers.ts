import { type CustomHeaders, isFreeHeader } from '../../domain/webhooks/custom-headers.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { SecretOwner, SecretVault } from '../../ports/vault.ts';

type StoredHeaders = Pick<WebhookEndpoint, 'header_names' | 'sealed_headers'>;

/** Encrypts all headers of an endpoint as one text, so that an attempt needs one decryption for all of them. */
export async function sealHeaders(
	headers: CustomHeaders | null,
	owner: SecretOwner,
	vault: Pick<SecretVault, 'sealSecret'>,
): Promise<StoredHeaders> {
	const lower = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
	if (lower.length === 0) return { header_names: [], sealed_headers: null };
	const sealed_headers = await vault.sealSecret(JSON.stringify(Object.fromEntries(lower)), owner);
	return { header_names: lower.map(([name]) => name).sort(), sealed_headers };
}

/** The headers to send with an attempt. A header is left out if its name was reserved after the header was set. */
export async function openHeaders(
	endpoint: WebhookEndpoint,
	vault: Pick<SecretVault, 'openSecret'>,
): Promise<CustomHeaders> {
	if (endpoint.sealed_headers === null) return {};
	const headers: CustomHeaders = JSON.parse(await vault.openSecret(endpoint.sealed_headers, endpoint));
	return Object.fromEntries(Object.entries(headers).filter(([name]) => isFreeHeader(name)));
}
