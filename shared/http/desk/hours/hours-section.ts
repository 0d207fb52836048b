import type { Language } from '../../../domain/workspaces/language.ts';
import type { BusinessHours, OpenInterval } from '../../../domain/workspaces/workspace.ts';
import { type DateLocale, readDate, shortDate } from '../../../presentation/short-date.ts';
import type { Fields } from '../../edge/form-fields.ts';
import { entriesOf, type SettingsSection } from '../kit/section.ts';

export const hoursSection: SettingsSection = {
	actions: ['save-hours'],
	saved: ({ business_hours: hours, time_zone, language }) => {
		return { when: hours === null ? 'always' : 'hours', time_zone, ...hoursFields(hours ?? USUAL, language) };
	},
	shown: (saved, { business_hours, hours_before, time_zone, language }) =>
		business_hours === null && hours_before
			? { when: 'always', time_zone, ...hoursFields(hours_before, language) }
			: saved,
	entered: (fields, locale) => {
		const { time_zone } = fields;
		const hours = hoursIn(fields, locale);
		return fields['when'] === 'always'
			? { business_hours: null, hours_before: hours, time_zone }
			: { business_hours: hours, time_zone };
	},
};

/** The days of the week, from Monday (1) to Sunday (0). */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0] as const;
/** Likely hours. The form shows them for a shop that has no hours of its own yet. */
const USUAL: BusinessHours = {
	weekly: WEEKDAYS.slice(0, 5).map((weekday) => ({ weekday, from_minute: 9 * 60, to_minute: 17 * 60 })),
	holidays: [],
};

const clock = (minute: number): string => new Date(minute * 60_000).toISOString().slice(11, 16);
/** Minutes since midnight. NaN if the text is not a time: the schema of the settings then refuses it. */
const minuteOf = (text = ''): number => Date.parse(`1970-01-01T${text}Z`) / 60_000;

/**
 * Opening hours as fields of the form. `from-1-0` and `to-1-0` are the first opening of Monday. The dates are written as the
 * language writes them. In English, they are written with the year first, because release 28086779 can read only this order,
 * and a shop may upgrade from it to any later release while this form is open. The form also reads the region's order.
 */
function hoursFields({ weekly, holidays }: BusinessHours, language: Language): Fields {
	const openings = weekly.flatMap(({ weekday, from_minute, to_minute }, place) => {
		const nth = `${weekday}-${weekly.slice(0, place).filter((each) => each.weekday === weekday).length}`;
		return [[`from-${nth}`, clock(from_minute)] as const, [`to-${nth}`, clock(to_minute)] as const];
	});
	return {
		...Object.fromEntries(openings),
		holidays: holidays.map((date) => shortDate(date, { language })).join('\n'),
	};
}

/** One opening that a form asks for. `at` is the suffix of its field names. `1-0` is the first opening of Monday. */
type AskedOpening = { readonly weekday: OpenInterval['weekday']; readonly at: string };

/**
 * The openings that a form asks for. A form that has a switch for each day contains the field `by_day`. In such a form, a day
 * is closed if its switch is off. The pages of release 28086779 have no switches. In their forms, a day is open if it has
 * times. The pages of release 1.0.0 have a check box `same`. If it is ticked, all other open days get the openings of the
 * first open day.
 */
export function openingsIn(fields: Fields): readonly AskedOpening[] {
	const filled = Object.keys(fields).flatMap((name) => {
		const [, at = '', day] = /^from-(([0-6])-\d{1,3})$/.exec(name) ?? [];
		const weekday = WEEKDAYS.find((each) => `${each}` === day);
		return weekday !== undefined && (fields[name] || fields[`to-${at}`]) ? [{ weekday, at }] : [];
	});
	if (fields['by_day'] === undefined) return filled;
	const open = openDays(fields);
	const [first] = open;
	return open.flatMap((weekday) => {
		const model = hasSameHours(fields) ? first : weekday;
		const openings = filled.filter((each) => each.weekday === model);
		// A day whose switch is on but that has no times is kept, so that the form is refused with a note beside the day.
		return openings.length === 0 ? [{ weekday, at: `${model}-0` }] : openings.map(({ at }) => ({ weekday, at }));
	});
}

/** Whether the times of the first open day count for all open days. */
const hasSameHours = (fields: Fields): boolean => fields['same'] !== undefined;

/**
 * The fields of a form as a page shows them again: if the form has the check box `same`, which pages no longer have, the times
 * of the first open day are copied.
 */
export const withOwnTimes = (fields: Fields): Fields => (hasSameHours(fields) ? copiedTimes(fields) : fields);

/** The fields of a form in which all open days have the times of the first open day. */
export function copiedTimes(fields: Fields): Fields {
	const [first, ...others] = openDays(fields);
	const names = Object.keys(fields).filter((name) => /^(?:from|to)-[0-6]-\d{1,3}$/.test(name));
	const ofDay = (weekday: number) => names.filter((name) => name.includes(`-${weekday}-`));
	const copies = others.flatMap((weekday) => [
		...ofDay(weekday).map((name) => [name, ''] as const),
		...ofDay(first ?? weekday).map((name) => [name.replace(/-\d-/, `-${weekday}-`), fields[name] ?? ''] as const),
	]);
	return { ...fields, ...Object.fromEntries(copies) };
}

export const switchOf = (weekday: number): string => `open-${weekday}`;
/** The days whose switches are on, from Monday. */
const openDays = (fields: Fields) => WEEKDAYS.filter((weekday) => fields[switchOf(weekday)] !== undefined);
/** The switches that are on in a form. If the form has no switches, each day that has times counts as switched on. */
export function switchesOf(fields: Fields): Fields {
	const days = openingsIn(fields).map(({ weekday }) => [switchOf(weekday), 'yes'] as const);
	return Object.fromEntries(days);
}

/** The name of the field that removes a date from the list. */
export const dropOf = (date: string): string => `drop-${date}`;

/**
 * The openings of a form. If an opening ends at or before the time at which it begins, it ends on the next day. An opening with
 * only one of the two times is kept, so that the form is refused.
 */
export const openingsOf = (fields: Fields): readonly OpenInterval[] =>
	openingsIn(fields).map(({ weekday, at }) => {
		const from_minute = minuteOf(fields[`from-${at}`]);
		const endMinute = minuteOf(fields[`to-${at}`]);
		const to_minute = endMinute > from_minute ? endMinute : endMinute + 24 * 60;
		return { weekday, from_minute, to_minute };
	});

/** The opening hours of a form. */
function hoursIn(fields: Fields, locale: DateLocale): object {
	const listed = entriesOf(fields['holidays'], (date) => readDate(date, locale));
	const remaining = listed.filter((date) => fields[dropOf(date)] === undefined);
	// The calendar adds one date to the dates in the list.
	return {
		weekly: openingsOf(fields),
		holidays: [...new Set([...remaining, ...entriesOf(fields['holiday'])])].toSorted(),
	};
}
