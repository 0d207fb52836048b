import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

/** The scope of a cursor: the same operation, of the same workspace, with the same filters. */
export type CursorScope = {
	readonly workspace_id: string;
	readonly operation: string;
	/** Every parameter that selects items, as it was sent; not `limit`, which may change from page to page. */
	readonly filters: Readonly<Record<string, string>>;
};

/** Valid for at least 24 h by contract; refused after twice that. */
const VALID_MS = 48 * 3_600_000;

// Layout: nonce (12) | AES-256-GCM of issued-at (6) and the place | tag (16), in base64url. A place is the last id of a page
// (26), or that of a part of a recovery with 13 digits of a time behind it.
const NONCE_BYTES = 12;
const TIME_BYTES = 6;
const TAG_BYTES = 16;
const CURSOR = /^[\w-]{80,98}$/;

function keyed(key: Uint8Array, purpose: string, data: string | Uint8Array): Buffer {
	return createHmac('sha256', key).update(purpose).update('\0').update(data).digest();
}

function boundTo({ workspace_id, operation, filters }: CursorScope): Buffer {
	const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
	return Buffer.from(JSON.stringify([workspace_id, operation, sorted]));
}

/**
 * Encodes the place where the next page or part starts, as an opaque text that is valid only in this scope. `key`: 32 secret
 * bytes. The nonce is a keyed hash of the contents (as in SIV, RFC 5297), so it needs no randomness and is never used for
 * different contents.
 */
export function sealCursor(place: string, scope: CursorScope, now_ms: number, key: Uint8Array): string {
	const issued = Buffer.alloc(TIME_BYTES);
	issued.writeUIntBE(now_ms, 0, TIME_BYTES);
	const contents = Buffer.concat([issued, Buffer.from(place)]);
	const bound = boundTo(scope);
	const nonce = keyed(key, 'nonce', Buffer.concat([contents, bound])).subarray(0, NONCE_BYTES);
	const cipher = createCipheriv('aes-256-gcm', keyed(key, 'encryption', ''), nonce).setAAD(bound);
	return Buffer.concat([nonce, cipher.update(contents), cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** Decodes the place; null if the cursor was modified, has expired, or belongs to another scope. */
export function openCursor(cursor: string, scope: CursorScope, now_ms: number, key: Uint8Array): string | null {
	const bytes = Buffer.from(cursor, 'base64url');
	// Node.js skips characters that add no whole byte, so only the spelling that we sealed is ours.
	const isOurs = CURSOR.test(cursor) && bytes.toString('base64url') === cursor;
	const contents = isOurs ? decrypt(bytes, scope, key) : null;
	if (contents === null) return null;
	const age_ms = now_ms - contents.readUIntBE(0, TIME_BYTES);
	return age_ms > VALID_MS ? null : contents.subarray(TIME_BYTES).toString();
}

function decrypt(bytes: Buffer, scope: CursorScope, key: Uint8Array): Buffer | null {
	const nonce = bytes.subarray(0, NONCE_BYTES);
	const decipher = createDecipheriv('aes-256-gcm', keyed(key, 'encryption', ''), nonce);
	decipher.setAAD(boundTo(scope)).setAuthTag(bytes.subarray(-TAG_BYTES));
	const contents = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
	try {
		decipher.final();
		return contents;
	} catch {
		return null;
	}
}
