/**
 * An instant as every response shows it: RFC 3339 in UTC, with milliseconds. Null for a year without four digits, which no
 * RFC 3339 date-time has.
 */
export function timestampOf(epochMs: number): string | null {
	const text = new Date(epochMs).toISOString();
	return text.length === '2026-12-24T17:00:00.000Z'.length ? text : null;
}
