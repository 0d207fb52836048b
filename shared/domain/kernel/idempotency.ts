import { createHash, createHmac } from 'node:crypto';

/** The lifetime of an Idempotency-Key, in seconds. */
export const IDEMPOTENCY_SECONDS = 24 * 3600;

/** The first response to a request with an Idempotency-Key, stored with the change that it reports. */
export type IdempotencyRecord = {
	/** Hash of workspace, operation, resource and key. */
	readonly scope: string;
	/** Keyed hash of the body's bytes. */
	readonly body_hash: string;
	/** Keyed hash of the body's JSON value; absent in older records. */
	readonly json_hash?: string;
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

/** Whether two requests with one key have the same body: the same bytes, or the same JSON value in other bytes. */
export function isSameBody(
	one: Pick<IdempotencyRecord, 'body_hash' | 'json_hash'>,
	other: Pick<IdempotencyRecord, 'body_hash' | 'json_hash'>,
): boolean {
	return one.body_hash === other.body_hash || (one.json_hash !== undefined && one.json_hash === other.json_hash);
}

/** The fingerprints of a body. `value`: what was parsed from `raw`. No body is another request than `{}`. */
export function bodyHashes(
	key: string,
	{ raw, value }: { readonly raw: string; readonly value: unknown },
): Pick<IdempotencyRecord, 'body_hash' | 'json_hash'> {
	const canonical = raw === '' ? null : canonicalJson(value);
	return { body_hash: bodyHash(key, raw), ...(canonical !== null && { json_hash: bodyHash(key, canonical) }) };
}

/** One spelling for each JSON value: sorted members, no spaces, no needless escapes. Null: nested too deeply to write. */
function canonicalJson(value: unknown): string | null {
	try {
		return JSON.stringify(value, (_name, inner: unknown) => (isObject(inner) ? sorted(inner) : inner));
	} catch (error) {
		if (error instanceof RangeError) return null;
		throw error;
	}
}

const isObject = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const sorted = (value: object): object =>
	Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));

/**
 * A fingerprint of the body: equal for the same bytes. A body may contain a phone number, which an attacker could find from
 * a plain hash by trying all numbers. The hash is keyed with the client's key, which we do not store.
 */
export function bodyHash(key: string, rawBody: string): string {
	return createHmac('sha256', key).update(rawBody).digest('base64url');
}
