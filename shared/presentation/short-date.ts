import { plainNumber } from '../domain/kernel/phone-number.ts';
import type { TeamLocale } from '../domain/workspaces/language.ts';
import { regionalTag, TAGS } from './team-words.ts';

// Dates as the people of a team write them.

export type DateLocale = Pick<TeamLocale, 'language' | 'region'>;

/**
 * The language tag with which `Intl` writes dates in digits as the team reads them. Null for English without a region,
 * because England and America order day and month differently.
 */
function tagOfDates({ language, region }: DateLocale): string | null {
	const regional = region === undefined ? null : regionalTag(language, region);
	return regional ?? (language === 'en' ? null : TAGS[language]);
}

const digits = (tag: string): Intl.DateTimeFormat =>
	new Intl.DateTimeFormat(tag, { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' });

/** A date (`2026-12-25`) in digits, as is usual for the language and the region: `25.12.2026`, `12/25/2026`. */
export function shortDate(date: string, locale: DateLocale): string {
	const tag = tagOfDates(locale);
	return tag === null
		? date
		: digits(tag)
				.format(new Date(date))
				.replace(/[^\d./-]/g, '');
}

/**
 * Whether the team writes the month or the day first. Null if the team writes the year first, or if the order is not known.
 */
function firstPart(locale: DateLocale): 'day' | 'month' | null {
	const tag = tagOfDates(locale);
	if (tag === null) return null;
	const first = digits(tag)
		.formatToParts(0)
		.find(({ type }) => type === 'day' || type === 'month' || type === 'year')?.type;
	return first === 'day' || first === 'month' ? first : null;
}

const TYPED = /^(\d{1,4}) ?([./-]| ) ?(\d{1,2}) ?[./ -] ?(\d{1,4})\.?$/;

/**
 * Reads a date in digits: the year first, or day, month and year in the region's order. In English without a known region,
 * day and month are read only if the digits show which is which. Any other text is returned unchanged.
 */
export function readDate(typed: string, locale: DateLocale): string {
	const [, first = '', mark = '', second = '', third = ''] = TYPED.exec(plainNumber(typed)) ?? [];
	const iso = (year: string, month: string, day: string): string => {
		const date = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
		const exists = !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
		return exists ? date : typed;
	};
	if (first.length === 4) return third.length <= 2 ? iso(first, second, third) : typed;
	const year = third.length === 2 ? `20${third}` : third;
	if (year.length !== 4 || first.length > 2) return typed;
	if (mark === '.' || Number(first) > 12 || first === second) return iso(year, second, first);
	if (locale.language === 'en' && Number(second) > 12) return iso(year, first, second);
	const order = firstPart(locale);
	if (order === 'month') return iso(year, first, second);
	return order === 'day' ? iso(year, second, first) : typed;
}
