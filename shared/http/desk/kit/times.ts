import { dateAt, plusDays, wallClock } from '../../../domain/workspaces/business-hours.ts';
import type { Language } from '../../../domain/workspaces/language.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { TAGS, tagOf } from '../../../presentation/team-words.ts';
import type { View } from './view.ts';

// Times and durations as the desk writes them: in the workspace's language and time zone, with the 12-hour or 24-hour clock
// of the workspace's region.

type Locale = Pick<View, 'language' | 'time_zone' | 'region'>;
type DateLocale = Pick<View, 'language' | 'region'>;

const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 500;

/**
 * Returns a formatter and keeps it for the next time. Making a formatter takes longer than using it, and a page shows many
 * times in the same format.
 */
function timeFormat(locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
	const name = `${tagOf(locale)} ${locale.time_zone} ${JSON.stringify(options)}`;
	const known = formats.get(name);
	if (known !== undefined) return known;
	if (formats.size === MOST_FORMATS) formats.clear();
	const made = new Intl.DateTimeFormat(tagOf(locale), { ...options, timeZone: locale.time_zone });
	formats.set(name, made);
	return made;
}

/** Whether the team writes `2 PM` and not `14:00`. */
const hasTwelveHours = (locale: DateLocale): boolean =>
	timeFormat({ ...locale, time_zone: 'UTC' }, { hour: 'numeric' }).resolvedOptions().hour12 === true;

/** The format of hours and minutes: `10:05` and `09:05`, or `10:05 AM` and `9:05 AM`. */
const minutesIn = (locale: DateLocale) =>
	({ hour: hasTwelveHours(locale) ? 'numeric' : '2-digit', minute: '2-digit' }) as const;

/**
 * A time without its year: `Mon 23 Nov, 10:05`. In French `lun. 23 nov. à 10:05`, and in the United States `Mon, Nov 23,
 * 10:05 AM`.
 */
export const shortTime = (at: string, locale: Locale): string => timeIn(at, locale, {});

/** A time with its seconds: `Mon 23 Nov, 10:05:09`. Developers compare it with their own logs. */
export const exactTime = (at: string, locale: Locale): string => timeIn(at, locale, { second: '2-digit' });

function timeIn(at: string, locale: Locale, more: Intl.DateTimeFormatOptions): string {
	const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
	const format = { ...day, ...minutesIn(locale), ...more };
	const text = timeFormat(locale, format).format(new Date(at));
	return locale.language === 'fr' ? text.replace(/,? (?=\d+(:| h ))/, ' à ') : text;
}

/** What stands between the day and the time, in the languages that do not write `, ` there. */
const JOINTS: Readonly<Partial<Record<Language, string>>> = { fr: ' à ', ar: '، ', tr: ' ' };

/** The time of a row in a list: today only `10:05`, and before that as in `dayTime`. */
export function rowTime(at: string, view: Locale & Pick<View, 'now_ms'>): string {
	const isToday = dateAt(view.time_zone, Date.parse(at)) === dateAt(view.time_zone, view.now_ms);
	return isToday ? timeFormat(view, minutesIn(view)).format(new Date(at)) : dayTime(at, view);
}

/** A past moment with its day: `Today, 10:05`, `Yesterday, 10:05`, or its date as in `shortTime`. */
export function dayTime(at: string, view: Locale & Pick<View, 'now_ms'>): string {
	const day = recentDay(at, view);
	if (day === null) return shortTime(at, view);
	const [first = '', ...others] = day;
	const time = timeFormat(view, minutesIn(view)).format(new Date(at));
	return `${first.toLocaleUpperCase(TAGS[view.language])}${others.join('')}${JOINTS[view.language] ?? ', '}${time}`;
}

/** The time of a moment in a call, without its date: `10:05:03`. */
export const momentTime = (at: string, locale: Locale): string =>
	timeFormat(locale, { ...minutesIn(locale), second: '2-digit' }).format(new Date(at));

/** When something ends. If that is today, only the time: `14:00` or `2 PM`. */
export function timeUntil(at: string, view: Locale & Pick<View, 'now_ms'>): string {
	const day = timeFormat(view, { dateStyle: 'short' });
	if (day.format(new Date(at)) !== day.format(view.now_ms)) return shortTime(at, view);
	return hourAndMinute(at, view);
}

/** The day of a past moment: `today`, `yesterday`, or its date with the year. */
export function dayInWords(at: string, view: Locale & Pick<View, 'now_ms'>): string {
	const date = { day: 'numeric', month: 'short', year: 'numeric' } as const;
	return recentDay(at, view) ?? timeFormat(view, date).format(new Date(at));
}

/** `today` or `yesterday`, on the shop's clock. Null for any other day. */
function recentDay(at: string, { time_zone, language, now_ms }: Locale & Pick<View, 'now_ms'>): string | null {
	const days = [0, -1].find((back) => dateAt(time_zone, Date.parse(at)) === plusDays(dateAt(time_zone, now_ms), back));
	if (days === undefined) return null;
	return new Intl.RelativeTimeFormat(TAGS[language], { numeric: 'auto' }).format(days, 'day');
}

/** Hours and minutes. With a 12-hour clock, a full hour has no minutes: `2 PM`. */
function hourAndMinute(at: string, locale: Locale): string {
	const text = timeFormat(locale, minutesIn(locale)).format(new Date(at));
	return hasTwelveHours(locale) ? text.replace(/:00(?!\d)/, '') : text;
}

/** A length of time: `3 min, 20 sec`. */
export function length(seconds: number, language: Language): string {
	const format = new Intl.DurationFormat(TAGS[language], { style: 'short', secondsDisplay: 'always' });
	return format.format({ minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}

/** A length of time in hours: `19 hours`, `19 hours, 30 minutes`. */
export const hoursText = (minutes: number, language: Language): string =>
	new Intl.DurationFormat(TAGS[language], { style: 'long' }).format({
		hours: Math.floor(minutes / 60),
		minutes: minutes % 60,
	});

/** The name of a weekday. 0 is Sunday. */
export const weekdayName = (weekday: number, language: Language, style: 'long' | 'short' = 'long'): string =>
	timeFormat({ language, time_zone: 'UTC' }, { weekday: style }).format(Date.UTC(2026, 10, 22 + weekday));

/** A date (`2026-12-25`) with its weekday: `Fri 25 Dec 2026`. */
export const longDay = (date: string, locale: DateLocale): string =>
	ofDate(date, locale, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** A date with its weekday, without the year: `Fri 25 Dec`. */
export const shortDay = (date: string, locale: DateLocale): string =>
	ofDate(date, locale, { weekday: 'short', day: 'numeric', month: 'short' });

/**
 * The label of a date on an axis. On a long axis, it is `25 Dec`. On a short axis, it is the weekday above the day of the
 * month.
 */
export function dayAxis(date: string, locale: DateLocale, isLong: boolean): Markup {
	if (isLong) return html`${ofDate(date, locale, { day: 'numeric', month: 'short' })}`;
	const weekday = ofDate(date, locale, { weekday: 'short' });
	return html`<i>${weekday}</i>${ofDate(date, locale, { day: 'numeric' })}`;
}

const ofDate = (date: string, locale: DateLocale, options: Intl.DateTimeFormatOptions): string =>
	timeFormat({ ...locale, time_zone: 'UTC' }, options).format(new Date(date));

/** A full hour of the day: `14:00` or `2 PM`. */
export const hourText = (hour: number, locale: DateLocale): string => clockText(hour * 60, locale);

/** A time of the day, in minutes since midnight: `14:30` or `2:30 PM`. */
export const clockText = (minute: number, locale: DateLocale): string =>
	hourAndMinute(new Date(minute * 60_000).toISOString(), { ...locale, time_zone: 'UTC' });

/** Returns a function that converts an instant into the local hour, 0 to 23. */
export function hourOfDay(timeZone: string): (at: string | number) => number {
	const clock = wallClock(timeZone);
	return (at) => new Date(clock(new Date(at).getTime())).getUTCHours();
}
