import { lowestIdAt } from './id.ts';

/**
 * A date-time of RFC 3339 section 5.6, with an explicit offset. These variants, which clients send and which can mean only
 * one time, are valid, too: a space instead of `T`; no seconds; a comma before the fraction (Python's logs, Log4j); an
 * offset without a colon or without minutes (ISO 8601, PostgreSQL); a space before the offset (Ruby); `UTC` and `GMT`; and
 * ` 00:00`, because a plus that is not escaped in a URL is read as a space. Zod's `iso.datetime` is not used, because it
 * returns no number.
 */
const DATE_TIME =
	/^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?( ?(?:[Zz]|UTC|GMT|[+-]\d{2}(?::?\d{2})?)| {1,2}\d{2}(?::?\d{2})?)$/;
const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Midnight UTC of a date, in epoch milliseconds. Null if there is no such date (30 February). */
function midnight(date: string): number | null {
	const epochMs = Date.parse(`${date}T00:00:00.000Z`);
	return Number.isFinite(epochMs) && new Date(epochMs).toISOString().startsWith(date) ? epochMs : null;
}

/** Whether a text is a date that exists, such as 2026-12-25. */
export const isDate = (text: string): boolean => DATE.test(text) && midnight(text) !== null;

/** Minutes east of UTC. 0 for `Z`, `UTC` and `GMT`. Null if the offset is out of range. */
function offsetMinutes(offset: string): number | null {
	const [, hours = '', minutes = ''] = /(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
	if (Number(hours) > 23 || Number(minutes) > 59) return null;
	return (offset.includes('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Why `parseInstant` has returned null. */
export type InstantFault = 'without_offset' | 'unreadable';
export const instantFault = (text: string): InstantFault =>
	WITHOUT_OFFSET.test(text) ? 'without_offset' : 'unreadable';

/**
 * Parses a query parameter as an instant, in epoch milliseconds. The parameter is a date-time with an offset (see
 * `DATE_TIME`), or `YYYY-MM-DD`, which means midnight UTC. Null if the text is neither, or if the date or time does not
 * exist. Fractions of a millisecond are rounded up. Then `from` still excludes every earlier record, and `to` still includes
 * every earlier record, because `created_at` has whole milliseconds. A leap second counts as the next second.
 */
export function parseInstant(text: string): number | null {
	if (DATE.test(text)) return midnight(text);
	const [, date = '', hour = '', minute = '', second = '0', fraction = '', offset = ''] = DATE_TIME.exec(text) ?? [];
	const dayMs = midnight(date);
	const ahead = offsetMinutes(offset);
	if (dayMs === null || ahead === null) return null;
	if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
	const fractionMs = Math.ceil(Number(`${fraction.padEnd(9, '0')}`) / 1_000_000);
	const seconds = Number(hour) * 3600 + (Number(minute) - ahead) * 60 + Number(second);
	return dayMs + seconds * 1000 + fractionMs;
}

/** A time range as bounds on ids, because ids sort by creation time. Null means no bound. */
export type IdRange = { readonly from_id: string | null; readonly before_id: string | null };
export type TimeRange =
	| IdRange
	| {
			readonly refused: 'invalid_parameter';
			readonly parameter: 'from' | 'to';
			readonly why: InstantFault | 'not_before_to';
	  };

/**
 * Reads the list parameters `from` (inclusive) and `to` (exclusive), which apply to `created_at`. Refuses an invalid
 * instant, and a `from` that is not before `to` (`from` is named as the wrong parameter).
 */
export function parseTimeRange(query: {
	readonly from?: string | undefined;
	readonly to?: string | undefined;
}): TimeRange {
	const { from = '', to = '' } = query;
	const fromMs = query.from === undefined ? undefined : parseInstant(from);
	const toMs = query.to === undefined ? undefined : parseInstant(to);
	const refused = 'invalid_parameter';
	if (fromMs === null) return { refused, parameter: 'from', why: instantFault(from) };
	if (toMs === null) return { refused, parameter: 'to', why: instantFault(to) };
	if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs)
		return { refused, parameter: 'from', why: 'not_before_to' };
	return {
		from_id: fromMs === undefined ? null : lowestIdAt(fromMs),
		before_id: toMs === undefined ? null : lowestIdAt(toMs),
	};
}
