import type { OpenInterval } from '../../../domain/workspaces/workspace.ts';

// Openings that are probably not what the owner meant.

const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;
/** Nobody means to be open for longer, except around the clock: from 00:00 to 00:00 or 23:59. */
const LONG_MINUTES = 16 * 60;

const lengthOf = ({ from_minute, to_minute }: OpenInterval): number => to_minute - from_minute;
const keyOf = ({ weekday, from_minute, to_minute }: OpenInterval): string => `${weekday}-${from_minute}-${to_minute}`;
const isLong = (opening: OpenInterval): boolean =>
	lengthOf(opening) > LONG_MINUTES && lengthOf(opening) < DAY_MINUTES - 1;

/** The long openings of a week, in a form in which a page can say that it has asked about them. */
export const longOpenings = (weekly: readonly OpenInterval[]): string => weekly.filter(isLong).map(keyOf).join(' ');

function overlap(a: OpenInterval, b: OpenInterval): boolean {
	const between = (first: OpenInterval, second: OpenInterval): number => {
		const minutes = (second.weekday - first.weekday) * DAY_MINUTES + second.from_minute - first.from_minute;
		return (minutes + WEEK_MINUTES) % WEEK_MINUTES;
	};
	return between(a, b) < lengthOf(a) || between(b, a) < lengthOf(b);
}

/** `nth`: the place of the opening in its week. */
type OddOpening = { readonly nth: number; readonly why: 'weekly_long' | 'weekly_overlap'; readonly minutes: number };

/**
 * The openings of a week that overlap an earlier one in the list, and those that are longer than `LONG_MINUTES`. An opening
 * that was saved before is not named again. `asked`: the openings about which the page has asked, as `longOpenings` names
 * them. The page does not ask about these again, even if others have changed since.
 */
export function oddOpenings(
	weekly: readonly OpenInterval[],
	saved: readonly OpenInterval[],
	asked = '',
): readonly OddOpening[] {
	const known = new Set(saved.map(keyOf));
	const askedAbout = new Set(asked.split(' '));
	const isNew = (opening: OpenInterval): boolean => !known.has(keyOf(opening));
	return weekly.flatMap((opening, nth): readonly OddOpening[] => {
		const minutes = lengthOf(opening);
		const earlier = weekly.slice(0, nth).find((each) => overlap(each, opening));
		if (earlier && (isNew(earlier) || isNew(opening))) return [{ nth, why: 'weekly_overlap', minutes }];
		return isLong(opening) && isNew(opening) && !askedAbout.has(keyOf(opening))
			? [{ nth, why: 'weekly_long', minutes }]
			: [];
	});
}
