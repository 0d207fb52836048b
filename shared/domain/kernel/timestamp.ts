/**
 * An instant as every response shows it: RFC 3339 in UTC, with milliseconds. Null if its year does not have four digits,
 * because RFC 3339 has no such date-time.
 */
export function timestampOf(epochMs: number): string | null {
	const text = new Date(epochMs).toISOString();
	return text.length === '2026-12-24T17:00:00.000Z'.length ? text : null;
}
