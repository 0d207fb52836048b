import type { Language } from '../../../domain/workspaces/language.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { TAGS } from '../../../presentation/team-words.ts';
import type { View } from './view.ts';

// Times and lengths as the desk writes them, in the workspace's language and time zone.

type Locale = Pick<View, 'language' | 'time_zone'>;
const timeFormat = ({ language, time_zone }: Locale, options: Intl.DateTimeFormatOptions) =>
	new Intl.DateTimeFormat(TAGS[language], { ...options, timeZone: time_zone });

/** `Mon 23 Nov, 10:05`, without the year; in French `lun. 23 nov. à 10:05`. */
export const shortTime = (at: string, locale: Locale): string => timeIn(at, locale, {});

/** The same with seconds, for developers who compare it with their own log: `Mon 23 Nov, 10:05:09`. */
export const exactTime = (at: string, locale: Locale): string => timeIn(at, locale, { second: '2-digit' });

function timeIn(at: string, locale: Locale, more: Intl.DateTimeFormatOptions): string {
	const minutes = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
	const format = { ...minutes, ...more };
	const text = timeFormat(locale, format).format(new Date(at));
	return locale.language === 'fr' ? text.replace(/,? (?=\d+:)/, ' à ') : text;
}

/** `10:05:03`, for moments of one call. */
export const momentTime = (at: string, locale: Locale): string =>
	timeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(new Date(at));

/** When something ends: only the time if that is today, `14:00`. */
export function timeUntil(at: string, view: Pick<View, 'language' | 'time_zone' | 'now_ms'>): string {
	const day = timeFormat(view, { dateStyle: 'short' });
	if (day.format(new Date(at)) !== day.format(view.now_ms)) return shortTime(at, view);
	return timeFormat(view, { hour: '2-digit', minute: '2-digit' }).format(new Date(at));
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
export function longDay(date: string, language: Language): string {
	const options = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
	return timeFormat({ language, time_zone: 'UTC' }, options).format(new Date(date));
}

/** The same without the year: `Fri 25 Dec`. */
export const shortDay = (date: string, { language }: Pick<View, 'language'>): string =>
	ofDate(date, language, { weekday: 'short', day: 'numeric', month: 'short' });

/** A date below an axis: `25 Dec` of a long one, and the weekday above the day of a short one. */
export function dayAxis(date: string, { language }: Pick<View, 'language'>, isLong: boolean): Markup {
	if (isLong) return html`${ofDate(date, language, { day: 'numeric', month: 'short' })}`;
	const weekday = ofDate(date, language, { weekday: 'short' });
	return html`<i>${weekday}</i>${ofDate(date, language, { day: 'numeric' })}`;
}

const ofDate = (date: string, language: Language, options: Intl.DateTimeFormatOptions): string =>
	timeFormat({ language, time_zone: 'UTC' }, options).format(new Date(date));

/** A full hour of the day: `14:00`. */
export const hourText = (hour: number, { language }: Pick<View, 'language'>): string =>
	timeFormat({ language, time_zone: 'UTC' }, { hour: '2-digit', minute: '2-digit' }).format(hour * 3_600_000);

/** The local hour of an instant, 0 to 23. */
export function hourOfDay(time_zone: string): (at: string) => number {
	const format = timeFormat({ language: 'en', time_zone }, { hour: '2-digit', hourCycle: 'h23' });
	return (at) => Number(format.format(new Date(at)));
}
