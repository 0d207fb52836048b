import { createHash } from 'node:crypto';
import { ID_PATTERN } from '../kernel/id.ts';
import { isSameSecret } from '../webhooks/webhook-signature.ts';
import type { Permission } from './permission.ts';

/** The API key of a server client. The key is shown once and stored as a SHA-256 hash. */
export type ApiKey = {
	readonly id: string;
	readonly version: number;
	readonly workspace_id: string;
	readonly name: string;
	readonly secret_hash: string;
	readonly permissions: readonly Permission[];
	readonly created_at: string;
	readonly revoked_at: string | null;
	/**
	 * The mail address of the person at the desk who made the key. Absent if an operator made the key, or if the key is
	 * older than this field.
	 */
	readonly made_by?: string;
};

/**
 * When a key was last used, rounded to the hour. This time is in a record of its own, so that no API function needs
 * permission to write keys.
 */
export type ApiKeyUse = { readonly id: string; readonly last_used_at: string };

export const API_KEY_PREFIX = 'cbk_live_';
const ID_CHARS = 26;
/** 256 random bits. */
export const API_KEY_SECRET_BYTES = 32;
const CHECKSUM_BYTES = 3;
/** The random part and its checksum are 35 bytes: 47 characters of base64url. */
const RANDOM_CHARS = 47;

/** A checksum, which is not secret. Before any record is read, it shows whether a key is mistyped, truncated or made up. */
function checksum(id: string, secret: Uint8Array): Buffer {
	return createHash('sha256').update(API_KEY_PREFIX).update(id).update(secret).digest().subarray(0, CHECKSUM_BYTES);
}

/** The key as its owner sees it once: `cbk_live_<id>_<random>`. `random` ends in a checksum. */
export function formatApiKey(id: string, secret: Uint8Array): string {
	if (secret.length !== API_KEY_SECRET_BYTES)
		throw new RangeError(`an API key takes ${API_KEY_SECRET_BYTES} random bytes`);
	return `${API_KEY_PREFIX}${id}_${Buffer.concat([secret, checksum(id, secret)]).toString('base64url')}`;
}

/**
 * The id in the key that a client sent, or null if the key does not have the form of our keys or its checksum is wrong.
 * This does not check whether the key is genuine.
 */
export function parseApiKey(presented: string): { readonly id: string } | null {
	if (!presented.startsWith(API_KEY_PREFIX)) return null;
	const id = presented.slice(API_KEY_PREFIX.length, API_KEY_PREFIX.length + ID_CHARS);
	const random = presented.slice(API_KEY_PREFIX.length + ID_CHARS + 1);
	if (!ID_PATTERN.test(id) || presented[API_KEY_PREFIX.length + ID_CHARS] !== '_' || random.length !== RANDOM_CHARS)
		return null;
	const bytes = Buffer.from(random, 'base64url');
	if (bytes.toString('base64url') !== random) return null;
	const secret = bytes.subarray(0, API_KEY_SECRET_BYTES);
	return checksum(id, secret).equals(bytes.subarray(API_KEY_SECRET_BYTES)) ? { id } : null;
}

/** The hash that is stored for a key. A fast hash function is enough, because no attacker can guess 256 random bits. */
export function hashApiKey(key: string): string {
	return createHash('sha256').update(key).digest('hex');
}

/**
 * Whether the hash of a key that a client sent is the hash of this key. The comparison takes the same time in every case.
 */
export function isGenuineApiKey(presentedHash: string, key: ApiKey): boolean {
	return isSameSecret(key.secret_hash, presentedHash);
}
