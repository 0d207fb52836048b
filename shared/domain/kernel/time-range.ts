import { lowestIdAt } from './id.ts';

/**
 * RFC 3339 section 5.6, with an explicit offset; seconds may have a fraction. Not zod's `iso.datetime`: it refuses a lower-case
 * `t`, a lower-case `z` and a leap second, and returns no number.
 */
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Midnight UTC of a date that exists (no 30 February), in epoch milliseconds. */
function midnight(date: string): number | null {
	const epoch_ms = Date.parse(`${date}T00:00:00.000Z`);
	return Number.isFinite(epoch_ms) && new Date(epoch_ms).toISOString().startsWith(date) ? epoch_ms : null;
}

/** Minutes east of UTC, none for `Z`; null when out of range. */
function offsetMinutes(offset: string): number | null {
	const hours = Number(offset.slice(1, 3));
	const minutes = Number(offset.slice(4, 6));
	if (hours > 23 || minutes > 59) return null;
	return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Parses a query parameter as an instant, in epoch milliseconds: an RFC 3339 date-time with offset, or `YYYY-MM-DD` for
 * midnight UTC. Null if it is neither or does not exist. Fractions finer than a millisecond round up, so that `from`
 * and `to` keep their meaning (created_at has whole milliseconds); a leap second counts as the next second.
 */
export function parseInstant(text: string): number | null {
	if (DATE.test(text)) return midnight(text);
	const [, date = '', hour = '', minute = '', second = '', fraction = '', offset = ''] = DATE_TIME.exec(text) ?? [];
	const day_ms = midnight(date);
	const offset_minutes = offsetMinutes(offset);
	if (day_ms === null || offset_minutes === null) return null;
	if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
	const fraction_ms = Math.ceil(Number(`${fraction.padEnd(9, '0')}`) / 1_000_000);
	const seconds = Number(hour) * 3600 + (Number(minute) - offset_minutes) * 60 + Number(second);
	return day_ms + seconds * 1000 + fraction_ms;
}

/** A time range as bounds on ids, because ids sort by creation time. Null: unbounded. */
export type IdRange = { readonly from_id: string | null; readonly before_id: string | null };
export type TimeRange = IdRange | { readonly refused: 'invalid_parameter'; readonly parameter: 'from' | 'to' };

/**
 * The list parameters `from` (inclusive) and `to` (exclusive) on `created_at`. Refuses an invalid instant, and a `from`
 * that is not before `to` (reported on `from`).
 */
export function parseTimeRange(query: {
	readonly from?: string | undefined;
	readonly to?: string | undefined;
}): TimeRange {
	const from_ms = query.from === undefined ? undefined : parseInstant(query.from);
	const to_ms = query.to === undefined ? undefined : parseInstant(query.to);
	if (from_ms === null) return { refused: 'invalid_parameter', parameter: 'from' };
	if (to_ms === null) return { refused: 'invalid_parameter', parameter: 'to' };
	if (from_ms !== undefined && to_ms !== undefined && from_ms >= to_ms)
		return { refused: 'invalid_parameter', parameter: 'from' };
	return {
		from_id: from_ms === undefined ? null : lowestIdAt(from_ms),
		before_id: to_ms === undefined ? null : lowestIdAt(to_ms),
	};
}
