import { createHash, createHmac } from 'node:crypto';

/** How long an Idempotency-Key is remembered, in seconds. */
export const IDEMPOTENCY_SECONDS = 24 * 3600;

/** The first answer to a keyed request, kept beside the change it reports. */
export type IdempotencyRecord = {
	/** Hash of workspace, operation, resource and key. */
	readonly scope: string;
	/** Keyed hash of the body's bytes. */
	readonly body_hash: string;
	readonly status: number;
	/** The exact bytes answered, less any secret. */
	readonly body: string;
	/** A secret that the answer held, sealed; put back into `body` on a replay. */
	readonly sealed_secret: string | null;
	readonly expires_at_epoch_s: number;
};

/** 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(key: string): boolean {
	return /^[\x20-\x7e]{1,255}$/.test(key);
}

/** The key of an idempotency record; it holds nothing of the client's key in clear. */
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
 * What "the same body" means: the same bytes. A body may hold a phone number, which a plain hash would give away to
 * an attacker who tries them all; the client's key, which is not kept, hides it.
 */
export function bodyHash(key: string, raw_body: string): string {
	return createHmac('sha256', key).update(raw_body).digest('base64url');
}
