import { createHash, createHmac } from 'node:crypto';

/** How long an Idempotency-Key is remembered, in seconds. */
export const IDEMPOTENCY_SECONDS = 24 * 3600;

/**
 * The first response to a request with an Idempotency-Key. The response is stored together with the change that it reports.
 * The desk uses such records, too, so that a button that is pressed twice has only one effect.
 */
export type IdempotencyRecord = {
	/** Hash of the workspace, the operation, the resource and the key. */
	readonly scope: string;
	/** Keyed hash of the body's bytes. */
	readonly body_hash: string;
	/** Keyed hash of the body's JSON value. Absent if the body is empty or nested too deeply, and in older records. */
	readonly json_hash?: string;
	readonly status: number;
	/** The exact bytes of the response. If the response had a secret, these bytes do not contain it. */
	readonly body: string;
	/**
	 * The id of the resource in the response, if the response had a secret. With this id, the secret is restored for a
	 * repeated request.
	 */
	readonly resource_id: string | null;
	/**
	 * The encrypted secret of the response. The response to a repeated request contains the secret again. Null if the
	 * response had no secret, or if the secret can be derived from `resource_id`.
	 */
	readonly sealed_secret: string | null;
	readonly expires_at_epoch_s: number;
};

/** 1 to 255 printable ASCII characters. */
export function isIdempotencyKey(key: string): boolean {
	return /^[\x20-\x7e]{1,255}$/.test(key);
}

/** The key of an idempotency record. The client's key cannot be read from it. */
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

/** Whether two requests with one key have the same body: the same bytes, or other bytes of the same JSON value. */
export function isSameBody(
	one: Pick<IdempotencyRecord, 'body_hash' | 'json_hash'>,
	other: Pick<IdempotencyRecord, 'body_hash' | 'json_hash'>,
): boolean {
	return one.body_hash === other.body_hash || (one.json_hash !== undefined && one.json_hash === other.json_hash);
}

/**
 * The hashes of a body. `value` is what was parsed from `raw`. A request without a body differs from a request with `{}`.
 */
export function bodyHashes(
	key: string,
	{ raw, value }: { readonly raw: string; readonly value: unknown },
): Pick<IdempotencyRecord, 'body_hash' | 'json_hash'> {
	const canonical = raw === '' ? null : canonicalJson(value);
	return { body_hash: bodyHash(key, raw), ...(canonical !== null && { json_hash: bodyHash(key, canonical) }) };
}

/**
 * Writes a JSON value in such a way that all spellings of the value give the same text: the names in each object sorted, no
 * spaces, no needless escapes. Null if the value is nested too deeply to write.
 */
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
 * A keyed hash of the body; the same bytes give the same hash. A body may contain a phone number. From a plain hash, an
 * attacker could find the number by trying all numbers. So the hash is keyed with the client's key, which we do not store.
 */
export function bodyHash(key: string, rawBody: string): string {
	return createHmac('sha256', key).update(rawBody).digest('base64url');
}
