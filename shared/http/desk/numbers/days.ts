import type { TallyRange } from '../../../domain/calls/tally.ts';
import { dateAt, plusDays, startOfDate } from '../../../domain/workspaces/business-hours.ts';
import type { View } from '../kit/view.ts';

// The days whose figures *Statistics* shows: today and the days before it, on the shop's clock.

export const ranges = [7, 30] as const;
export const daysOf = ({ query }: Pick<View, 'query'>): (typeof ranges)[number] =>
	ranges.find((days) => `${days}` === query['days']) ?? ranges[0];

type Days = {
	/** The local dates, oldest first. */
	readonly dates: readonly string[];
	readonly span: TallyRange;
};

/** The days that the address asks for, up to now. */
export function daysShown(view: View): Days {
	const { time_zone, now_ms } = view;
	const today = dateAt(time_zone, now_ms);
	const days = daysOf(view);
	const dates = Array.from({ length: days }, (_, nth) => plusDays(today, nth + 1 - days));
	return { dates, span: { from_ms: startOfDate(time_zone, dates[0] ?? today), to_ms: Number.POSITIVE_INFINITY } };
}

/**
 * The same number of days directly before the days that are shown. The last of these earlier days ends at the current time of
 * day, as today does. So both time spans are equally long.
 */
export function daysBefore(view: View): Days {
	const { time_zone, now_ms } = view;
	const shown = daysShown(view);
	const dates = shown.dates.map((date) => plusDays(date, -daysOf(view)));
	const fromMs = startOfDate(time_zone, dates[0] ?? '');
	return { dates, span: { from_ms: fromMs, to_ms: fromMs + now_ms - shown.span.from_ms } };
}
