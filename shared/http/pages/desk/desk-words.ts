import type { Language } from '../../../domain/workspaces/language.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { TAGS } from '../../../presentation/team-words.ts';
import type { View } from './frame.ts';

// Times and lengths as the desk writes them, in the workspace's language and time zone.

/** `Mon 23 Nov, 10:05`, without the year. */
export function shortTime(at: string, { language, time_zone }: Pick<View, 'language' | 'time_zone'>): string {
	const format = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
	return new Intl.DateTimeFormat(TAGS[language], { ...format, timeZone: time_zone }).format(new Date(at));
}

/** `3 min 20 sec`. */
export function length(seconds: number, language: Language): string {
	const unit = (value: number, name: 'minute' | 'second'): string =>
		new Intl.NumberFormat(TAGS[language], { style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
	const minutes = Math.floor(seconds / 60);
	return [minutes > 0 ? unit(minutes, 'minute') : '', unit(seconds % 60, 'second')].join(' ').trim();
}

/** The name of a weekday, 0 is Sunday. */
export function weekdayName(weekday: number, language: Language): string {
	const sunday_ms = Date.UTC(2026, 10, 22);
	const date = new Date(sunday_ms + weekday * 24 * 3_600_000);
	return new Intl.DateTimeFormat(TAGS[language], { weekday: 'long', timeZone: 'UTC' }).format(date);
}

/** A member of the team by the name, or the place. */
export function memberName({ at, texts }: Pick<View, 'at' | 'texts'>, place: number): string {
	return at.workspace.team[place]?.name ?? fillIn(texts.member, `${place + 1}`);
}

/** The local hour of an instant, 0 to 23. */
export function hourOfDay(time_zone: string): (at: string) => number {
	const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: time_zone });
	return (at) => Number(format.format(new Date(at)));
}
