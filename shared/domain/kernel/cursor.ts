import { createHash } from 'node:crypto';

/** What a cursor belongs to: the same operation, of the same workspace, with the same filters. */
export type CursorScope = {
	readonly workspace_id: string;
	readonly operation: string;
	/** Every parameter that selects items, as the client sent it. Without `limit`, which may change from page to page. */
	readonly filters: Readonly<Record<string, string>>;
};

const FINGERPRINT_CHARS = 16;

/** Shows that a client has changed its filters. It protects nothing: the API key decides what may be listed. */
function fingerprintOf({ workspace_id, operation, filters }: CursorScope): string {
	const orderedFilters = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
	const text = JSON.stringify([workspace_id, operation, orderedFilters]);
	return createHash('sha256').update(text).digest('hex').slice(0, FINGERPRINT_CHARS);
}

/** Encodes the place where the next page or part starts, in base64url. */
export function writeCursor(place: string, scope: CursorScope): string {
	return Buffer.from(fingerprintOf(scope) + place, 'latin1').toString('base64url');
}

/** Decodes the place, which the caller has to validate; null if the cursor is malformed or belongs to another scope. */
export function readCursor(cursor: string, scope: CursorScope): string | null {
	const place = Buffer.from(cursor, 'base64url').toString('latin1').slice(FINGERPRINT_CHARS);
	// Node.js skips characters that add no whole byte, so only one spelling is valid.
	return writeCursor(place, scope) === cursor ? place : null;
}
