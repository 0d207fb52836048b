import { createHash } from 'node:crypto';

/** A cursor is valid only for the same operation of the same workspace with the same filters. */
export type CursorScope = {
	readonly workspace_id: string;
	readonly operation: string;
	/**
	 * Every parameter that selects items, as the client sent it. `limit` is not among them, because it may change from page
	 * to page.
	 */
	readonly filters: Readonly<Record<string, string>>;
};

const FINGERPRINT_CHARS = 16;

/**
 * A fingerprint that shows whether a client has changed the filters. The fingerprint protects nothing: the API key decides
 * what may be listed.
 */
function fingerprintOf({ workspace_id, operation, filters }: CursorScope): string {
	const orderedFilters = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
	const text = JSON.stringify([workspace_id, operation, orderedFilters]);
	return createHash('sha256').update(text).digest('hex').slice(0, FINGERPRINT_CHARS);
}

/** The text of a cursor, in base64url. `place` is where the next page or part starts. */
export function writeCursor(place: string, scope: CursorScope): string {
	return Buffer.from(fingerprintOf(scope) + place, 'latin1').toString('base64url');
}

/**
 * Reads the place from a cursor. The caller has to validate the place. Null if the cursor is malformed or belongs to other
 * filters, another operation or another workspace.
 */
export function readCursor(cursor: string, scope: CursorScope): string | null {
	const place = Buffer.from(cursor, 'base64url').toString('latin1').slice(FINGERPRINT_CHARS);
	// Node.js decodes several spellings of base64url to the same bytes. Only the spelling that `writeCursor` makes is
	// valid.
	return writeCursor(place, scope) === cursor ? place : null;
}
