import type { Fields } from '../request.ts';

const FIELD = /^from-([0-6])-(\d{1,3})$/;
const CLOCK = /^(\d{2}):(\d{2})/;

/** Minutes since midnight; NaN if it is no time, which the schema of the settings refuses. */
function minuteOf(text = ''): number {
	const [, hours, minutes] = CLOCK.exec(text) ?? [];
	return hours === undefined ? Number.NaN : Number(hours) * 60 + Number(minutes);
}

/**
 * The hours of the form as they were entered: `from-1-0` and `to-1-0` are the first opening of Monday. An end at or before
 * its beginning is on the next day. An opening with one end only stays, so that it is refused.
 */
export function hoursIn(fields: Fields, holidays: readonly string[]): object {
	const weekly = Object.keys(fields).flatMap((name) => {
		const [, weekday, nth] = FIELD.exec(name) ?? [];
		if (weekday === undefined || nth === undefined) return [];
		const [from, to] = [fields[name], fields[`to-${weekday}-${nth}`]];
		if (!from && !to) return [];
		const [from_minute, end_minute] = [minuteOf(from), minuteOf(to)];
		const to_minute = end_minute > from_minute ? end_minute : end_minute + 24 * 60;
		return [{ weekday: Number(weekday), from_minute, to_minute }];
	});
	return { time_zone: fields['time_zone'], weekly, holidays };
}
