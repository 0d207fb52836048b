import { createHash, createHmac } from 'node:crypto';

/** The lifetime of an Idempotency-Key, in seconds. */
export const IDEMPOTENCY_SECONDS = 24 * 3600;

/** The first response to a request with an Idempotency-Key, stored with the change that it reports. */
export type IdempotencyRecord = {
	/** Hash of workspace, operation, resource and key. */
	readonly scope: string;
	/** Keyed hash of the body's bytes. */
	readonly body_hash: string;
	readonly status: number;
	/** The exact bytes of the response, without any secret. */
	readonly body: string;
	/** The id of the resource in the response, if a repeated request has to get its secret again. */
	readonly resource_id: string | null;
	/** The response's secret, sealed; a repeated request gets it in `body`. */
	readonly sealed_secret: string | null;
	readonly expires_at_epoch_s: number;
};

/** 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(key: string): boolean {
	return /^[\x20-\x7e]{1,255}$/.test(key);
}

/** The key of an idempotency record; it does not contain the client's key in clear. */
export function idempotencyScope(parts: {
	readonly workspace_id: string;
	readonly operation: string;
	readonly resource_id: string | null;
	readonly key: string;
}): string {
	const { workspace_id, operation, resource_id, key } = parts;
	return createHash('sha256')
		.update(JSON.stringify([workspace_id, operation, resource_id, key]))
		.digest('base64url');
}

/**
 * A fingerprint of the body: equal for the same bytes. A body may contain a phone number, which an attacker could find from
 * a plain hash by trying all numbers. The hash is keyed with the client's key, which we do not store.
 */
export function bodyHash(key: string, raw_body: string): string {
	return createHmac('sha256', key).update(raw_body).digest('base64url');
}
