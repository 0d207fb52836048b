import { plainNumber } from '../domain/kernel/phone-number.ts';
import type { Language } from '../domain/workspaces/language.ts';
import { TAGS } from './team-words.ts';

// Dates as the people of a team write them.

/**
 * A date (`2026-12-25`) as the language writes it in digits: `25.12.2026`. In English it stays as it is, because England and
 * America write day and month in different orders.
 */
export function shortDate(date: string, language: Language): string {
	if (language === 'en') return date;
	const options = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const;
	const text = new Intl.DateTimeFormat(TAGS[language], options).format(new Date(date));
	return text.replace(/[^\d./-]/g, '');
}

const TYPED = /^(\d{1,4}) ?([./-]| ) ?(\d{1,2}) ?[./ -] ?(\d{1,4})\.?$/;

/**
 * Reads a date in digits: the year first, or day, month and year. In English, day and month are read only if it is clear
 * which is which. Any other text is returned unchanged.
 */
export function readDate(typed: string, language: Language): string {
	const [, first = '', mark = '', second = '', third = ''] = TYPED.exec(plainNumber(typed)) ?? [];
	const iso = (year: string, month: string, day: string): string => {
		const date = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
		const exists = !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
		return exists ? date : typed;
	};
	if (first.length === 4) return third.length <= 2 ? iso(first, second, third) : typed;
	const year = third.length === 2 ? `20${third}` : third;
	if (year.length !== 4 || first.length > 2) return typed;
	if (language !== 'en' || mark === '.' || Number(first) > 12 || first === second) return iso(year, second, first);
	return Number(second) > 12 ? iso(year, first, second) : typed;
}
