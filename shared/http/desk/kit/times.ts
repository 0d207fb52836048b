import { wallClock } from '../../../domain/workspaces/business-hours.ts';
import type { Language } from '../../../domain/workspaces/language.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { TAGS, tagOf } from '../../../presentation/team-words.ts';
import type { View } from './view.ts';

// Times and lengths as the desk writes them: in the workspace's language and time zone, on the clock of its region.

type Locale = Pick<View, 'language' | 'time_zone' | 'region'>;
type DateLocale = Pick<View, 'language' | 'region'>;

const formats = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATS = 500;

/** To make a format takes longer than to use it, and a page has many times of the same form. */
function timeFormat(locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
	const name = `${tagOf(locale)} ${locale.time_zone} ${JSON.stringify(options)}`;
	const known = formats.get(name);
	if (known !== undefined) return known;
	if (formats.size === MOST_FORMATS) formats.clear();
	const made = new Intl.DateTimeFormat(tagOf(locale), { ...options, timeZone: locale.time_zone });
	formats.set(name, made);
	return made;
}

/** Whether the team reads `2 PM` and not `14:00`. */
const hasTwelveHours = (locale: DateLocale): boolean =>
	timeFormat({ ...locale, time_zone: 'UTC' }, { hour: 'numeric' }).resolvedOptions().hour12 === true;

/** `10:05` and `09:05`, or `10:05 AM` and `9:05 AM`. */
const minutesIn = (locale: DateLocale) =>
	({ hour: hasTwelveHours(locale) ? 'numeric' : '2-digit', minute: '2-digit' }) as const;

/** `Mon 23 Nov, 10:05`, without the year; in French `lun. 23 nov. à 10:05`; in the United States `Mon, Nov 23, 10:05 AM`. */
export const shortTime = (at: string, locale: Locale): string => timeIn(at, locale, {});

/** The same with seconds, for developers who compare it with their own log: `Mon 23 Nov, 10:05:09`. */
export const exactTime = (at: string, locale: Locale): string => timeIn(at, locale, { second: '2-digit' });

function timeIn(at: string, locale: Locale, more: Intl.DateTimeFormatOptions): string {
	const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
	const format = { ...day, ...minutesIn(locale), ...more };
	const text = timeFormat(locale, format).format(new Date(at));
	return locale.language === 'fr' ? text.replace(/,? (?=\d+(:| h ))/, ' à ') : text;
}

/** `10:05:03`, for moments of one call. */
export const momentTime = (at: string, locale: Locale): string =>
	timeFormat(locale, { ...minutesIn(locale), second: '2-digit' }).format(new Date(at));

/** When something ends: only the time if that is today, `14:00` or `2 PM`. */
export function timeUntil(at: string, view: Locale & Pick<View, 'now_ms'>): string {
	const day = timeFormat(view, { dateStyle: 'short' });
	if (day.format(new Date(at)) !== day.format(view.now_ms)) return shortTime(at, view);
	return hourAndMinute(at, view);
}

/** A full hour is only that where people say so: `2 PM`. */
function hourAndMinute(at: string, locale: Locale): string {
	const text = timeFormat(locale, minutesIn(locale)).format(new Date(at));
	return hasTwelveHours(locale) ? text.replace(/:00(?!\d)/, '') : text;
}

/** `3 min, 20 sec`. */
export function length(seconds: number, language: Language): string {
	const format = new Intl.DurationFormat(TAGS[language], { style: 'short', secondsDisplay: 'always' });
	return format.format({ minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}

/** The name of a weekday, 0 is Sunday. */
export const weekdayName = (weekday: number, language: Language): string =>
	timeFormat({ language, time_zone: 'UTC' }, { weekday: 'long' }).format(Date.UTC(2026, 10, 22 + weekday));

/** A date (`2026-12-25`) with its weekday: `Fri 25 Dec 2026`. */
export const longDay = (date: string, locale: DateLocale): string =>
	ofDate(date, locale, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** The same without the year: `Fri 25 Dec`. */
export const shortDay = (date: string, locale: DateLocale): string =>
	ofDate(date, locale, { weekday: 'short', day: 'numeric', month: 'short' });

/** A date below an axis: `25 Dec` of a long one, and the weekday above the day of a short one. */
export function dayAxis(date: string, locale: DateLocale, isLong: boolean): Markup {
	if (isLong) return html`${ofDate(date, locale, { day: 'numeric', month: 'short' })}`;
	const weekday = ofDate(date, locale, { weekday: 'short' });
	return html`<i>${weekday}</i>${ofDate(date, locale, { day: 'numeric' })}`;
}

const ofDate = (date: string, locale: DateLocale, options: Intl.DateTimeFormatOptions): string =>
	timeFormat({ ...locale, time_zone: 'UTC' }, options).format(new Date(date));

/** A full hour of the day: `14:00` or `2 PM`. */
export const hourText = (hour: number, locale: DateLocale): string =>
	hourAndMinute(new Date(hour * 3_600_000).toISOString(), { ...locale, time_zone: 'UTC' });

/** The local hour of an instant, 0 to 23. */
export function hourOfDay(timeZone: string): (at: string | number) => number {
	const clock = wallClock(timeZone);
	return (at) => new Date(clock(new Date(at).getTime())).getUTCHours();
}
