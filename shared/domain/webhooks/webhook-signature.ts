import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { Sealed } from '../kernel/sealed.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

const PREFIX = 'whsec_';
/** A secret is 256 random bits. */
export const WEBHOOK_SECRET_BYTES = 32;

/** A signing secret from random bytes: `whsec_` and base64, as Standard Webhooks writes them. */
export function newSecret(random: Uint8Array): string {
	if (random.length !== WEBHOOK_SECRET_BYTES) throw new RangeError(`a secret takes ${WEBHOOK_SECRET_BYTES} bytes`);
	return PREFIX + Buffer.from(random).toString('base64');
}

/** The secrets that sign now, newest first. After a rotation, there are several live secrets until the overlap ends. */
export function liveSecrets(endpoint: WebhookEndpoint, nowMs: number): readonly Sealed[] {
	return endpoint.secrets
		.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > nowMs)
		.map(({ sealed }) => sealed);
}

/** The specification's signature: hex HMAC-SHA256 of `<t>.<raw_body>`. The key is the whole text of the secret. */
function serviceSignature(secret: string, t: number, body: string): string {
	return createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
}

/**
 * The signature of Standard Webhooks: base64 HMAC-SHA256 of `<id>.<t>.<raw_body>`. The key is the secret's random bytes,
 * which the secret contains as base64 after `whsec_`.
 */
function standardSignature(secret: string, id: string, t: number, body: string): string {
	// The secret is made into a key object, because Node.js takes several times as long if it gets the bytes themselves.
	const key = createSecretKey(secret.slice(PREFIX.length), 'base64');
	return createHmac('sha256', key).update(`${id}.${t}.${body}`).digest('base64');
}

/**
 * The headers that prove that a delivery comes from us: `Service-Signature` (the specification, "Webhook signing") and the
 * headers of Standard Webhooks (https://www.standardwebhooks.com). `secrets` are all live secrets, newest first. Each
 * secret adds a signature.
 */
export function signatureHeaders(input: {
	readonly secrets: readonly string[];
	readonly event_id: string;
	readonly body: string;
	readonly now_ms: number;
}): Record<string, string> {
	const { secrets, event_id, body } = input;
	const t = Math.floor(input.now_ms / 1000);
	const service = secrets.map((secret) => `v1=${serviceSignature(secret, t, body)}`);
	const standard = secrets.map((secret) => `v1,${standardSignature(secret, event_id, t, body)}`);
	return {
		'service-signature': [`t=${t}`, ...service].join(','),
		'webhook-id': event_id,
		'webhook-timestamp': String(t),
		'webhook-signature': standard.join(' '),
	};
}

/**
 * Whether two texts are the same. The comparison takes the same time in every case, so that nobody can guess a secret or
 * its MAC byte by byte.
 */
export function isSameSecret(a: string, b: string): boolean {
	const one = Buffer.from(a);
	const other = Buffer.from(b);
	return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}
