import type { Language } from '../../../domain/workspaces/language.ts';
import type { BusinessHours } from '../../../domain/workspaces/workspace.ts';
import { readDate, shortDate } from '../../../presentation/short-date.ts';
import type { Fields } from '../../edge/form-fields.ts';
import { entriesOf, type SettingsSection } from '../kit/section.ts';

export const hoursSection: SettingsSection = {
	actions: ['save-hours'],
	saved: ({ business_hours: hours, time_zone, language }) => {
		return { when: hours === null ? 'always' : 'hours', time_zone, ...hoursFields(hours ?? USUAL, language) };
	},
	entered: (fields, { language }) => {
		const business_hours = fields['when'] === 'always' ? null : hoursIn(fields, language);
		return { business_hours, time_zone: fields['time_zone'] };
	},
};

/** Monday first. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0] as const;
/** What a new shop probably wants, until it has hours. */
const USUAL: BusinessHours = {
	weekly: WEEKDAYS.slice(0, 5).map((weekday) => ({ weekday, from_minute: 9 * 60, to_minute: 17 * 60 })),
	holidays: [],
};

const clock = (minute: number): string => new Date(minute * 60_000).toISOString().slice(11, 16);
/** Minutes since midnight; NaN if it is no time, which the schema of the settings refuses. */
const minuteOf = (text = ''): number => Date.parse(`1970-01-01T${text}Z`) / 60_000;

/** `from-1-0` and `to-1-0` are the first opening of Monday. */
function hoursFields({ weekly, holidays }: BusinessHours, language: Language): Fields {
	const openings = weekly.flatMap(({ weekday, from_minute, to_minute }, place) => {
		const nth = `${weekday}-${weekly.slice(0, place).filter((each) => each.weekday === weekday).length}`;
		return [[`from-${nth}`, clock(from_minute)] as const, [`to-${nth}`, clock(to_minute)] as const];
	});
	return { ...Object.fromEntries(openings), holidays: holidays.map((date) => shortDate(date, language)).join('\n') };
}

/** The openings of a form that are not empty, by the end of their fields' names: `1-0` is the first one of Monday. */
export const openingsIn = (fields: Fields): readonly string[] =>
	Object.keys(fields).flatMap((name) => {
		const [, opening] = /^from-([0-6]-\d{1,3})$/.exec(name) ?? [];
		return opening !== undefined && (fields[name] || fields[`to-${opening}`]) ? [opening] : [];
	});

/** An end at or before its beginning is on the next day. An opening with one end only stays, so that it is refused. */
function hoursIn(fields: Fields, language: Language): object {
	const weekly = openingsIn(fields).map((opening) => {
		const from_minute = minuteOf(fields[`from-${opening}`]);
		const endMinute = minuteOf(fields[`to-${opening}`]);
		const to_minute = endMinute > from_minute ? endMinute : endMinute + 24 * 60;
		return { weekday: Number(opening[0]), from_minute, to_minute };
	});
	// The calendar adds one date to those that are typed.
	const typed = `${fields['holidays'] ?? ''}\n${fields['holiday'] ?? ''}`;
	return { weekly, holidays: entriesOf(typed, (date) => readDate(date, language)).toSorted() };
}
