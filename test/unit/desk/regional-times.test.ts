import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { hoursSection } from '../../../shared/http/desk/hours/hours-section.ts';
import {
	dayTime,
	exactTime,
	hourText,
	longDay,
	momentTime,
	rowTime,
	shortTime,
	timeUntil,
} from '../../../shared/http/desk/kit/times.ts';
import { savedFields, shownFields } from '../../../shared/http/desk/sections.ts';
import { readDate, shortDate } from '../../../shared/presentation/short-date.ts';
import { readableTime } from '../../../shared/presentation/team-words.ts';
import { samples } from '../../support/sample-records.ts';

// Tests times and dates as the people of a region write them.

const AT = '2027-01-31T19:00:00.000Z';

describe('a time', () => {
	it.each([
		['en', 'US', 'America/New_York', 'Sun, Jan 31, 2:00 PM', '2 PM'],
		['en', 'GB', 'Europe/London', 'Sun 31 Jan, 19:00', '19:00'],
		['en', 'DE', 'Europe/Berlin', 'Sun, 31 Jan, 20:00', '20:00'],
		['en', 'XX', 'Europe/London', 'Sun 31 Jan, 19:00', '19:00'],
		['es', 'US', 'America/New_York', 'dom, 31 de ene, 2:00 p.m.', '2 p.m.'],
		['es', 'ES', 'Europe/Madrid', 'dom, 31 ene, 20:00', '20:00'],
		['de', 'US', 'America/New_York', 'So., 31. Jan., 14:00', '14:00'],
		['fr', 'FR', 'Europe/Paris', 'dim. 31 janv. à 20:00', '20:00'],
		['fr', 'CA', 'America/Toronto', 'dim. 31 janv. à 14 h 00', '14 h 00'],
		['ar', 'SA', 'Asia/Riyadh', 'الأحد، 31 يناير، 10:00 م', '10 م'],
	] as const)('is written for the language %s and the region %s, in %s', (language, region, time_zone, day, until) => {
		const locale = { language, region, time_zone };
		expect(shortTime(AT, locale)).toBe(day);
		expect(timeUntil(AT, { ...locale, now_ms: Date.parse(AT) - 60_000 })).toBe(until);
	});

	it('is on the clock of the region in every place where the desk and its mails show a time', () => {
		const locale = { language: 'en', region: 'US', time_zone: 'America/New_York' } as const;
		expect(exactTime(AT, locale)).toBe('Sun, Jan 31, 2:00:00 PM');
		expect(momentTime(AT, locale)).toBe('2:00:00 PM');
		expect(readableTime(AT, locale)).toBe('January 31, 2027, 2:00 PM (New York)');
		expect(hourText(14, locale)).toBe('2 PM');
		expect(timeUntil('2027-01-31T19:05:00Z', { ...locale, now_ms: Date.parse(AT) })).toBe('2:05 PM');
		expect(longDay('2027-01-31', locale)).toBe('Sun, Jan 31, 2027');
	});
});

describe('the time of a row', () => {
	const DAY_MS = 86_400_000;
	it('is only the time if it is today', () => {
		const now_ms = Date.parse(AT);
		const zone = { time_zone: 'Europe/Berlin', now_ms };
		expect(rowTime(AT, { ...zone, language: 'de' })).toBe('20:00');
		expect(rowTime(AT, { ...zone, language: 'en', region: 'US' })).toBe('8:00 PM');
		expect(rowTime(AT, { ...zone, language: 'de', now_ms: now_ms + DAY_MS })).toBe('Gestern, 20:00');
	});

	it.each([
		['en', 'Today, 20:00', 'Yesterday, 20:00'],
		['de', 'Heute, 20:00', 'Gestern, 20:00'],
		['es', 'Hoy, 20:00', 'Ayer, 20:00'],
		['fr', 'Aujourd’hui à 20:00', 'Hier à 20:00'],
		['ar', 'اليوم، 8:00 م', 'أمس، 8:00 م'],
		['it', 'Oggi, 20:00', 'Ieri, 20:00'],
		['nl', 'Vandaag, 20:00', 'Gisteren, 20:00'],
		['pt', 'Hoje, 20:00', 'Ontem, 20:00'],
		['pl', 'Dzisiaj, 20:00', 'Wczoraj, 20:00'],
		['tr', 'Bugün 20:00', 'Dün 20:00'],
	] as const)('names today and yesterday in %s', (language, today, yesterday) => {
		const locale = { language, time_zone: 'Europe/Berlin' };
		const atMs = Date.parse(AT);
		const days = [0, 1, 2, -1].map((later) => dayTime(AT, { ...locale, now_ms: atMs + later * DAY_MS }));
		expect(days).toEqual([today, yesterday, shortTime(AT, locale), shortTime(AT, locale)]);
	});

	it('counts a day from midnight to midnight on the clock of the shop', () => {
		const locale = { language: 'en', region: 'US', time_zone: 'America/New_York' } as const;
		const row = (now: string) => dayTime(AT, { ...locale, now_ms: Date.parse(now) });
		expect(row('2027-02-01T04:59:59Z')).toBe('Today, 2:00 PM');
		expect(row('2027-02-01T05:00:00Z')).toBe('Yesterday, 2:00 PM');
		expect(row('2027-02-02T04:59:59Z')).toBe('Yesterday, 2:00 PM');
		expect(row('2027-02-02T05:00:00Z')).toBe('Sun, Jan 31, 2:00 PM');
	});
});

describe('a date', () => {
	it.each([
		['en', 'US', '01/02/2027', '2027-01-02', '01/02/2027'],
		['en', 'US', '1/31/2027', '2027-01-31', '01/31/2027'],
		['en', 'US', '31/1/2027', '2027-01-31', '01/31/2027'],
		['en', 'US', '2.1.2027', '2027-01-02', '01/02/2027'],
		['en', 'GB', '01/02/2027', '2027-02-01', '01/02/2027'],
		['en', 'AU', '1-2-27', '2027-02-01', '01/02/2027'],
		['en', 'CA', '2027-02-01', '2027-02-01', '2027-02-01'],
		['es', 'US', '01/02/2027', '2027-02-01', '01/02/2027'],
		['de', 'US', '1.2.2027', '2027-02-01', '01.02.2027'],
		['ar', 'SA', '01/02/2027', '2027-02-01', '01/02/2027'],
	] as const)(
		'of the language %s and the region %s, typed as %j, is read, and shown again as that region writes it',
		(language, region, typed, date, shown) => {
			expect(readDate(typed, { language, region })).toBe(date);
			expect(shortDate(date, { language, region })).toBe(shown);
		},
	);

	it.each([
		['en', 'CA', '01/02/2027'],
		['en', 'XX', '01/02/2027'],
		['en', 'US', '13/13/2027'],
		['en', 'US', '02/30/2027'],
	] as const)('of the language %s and the region %s, typed as %j, is not guessed', (language, region, typed) => {
		expect(readDate(typed, { language, region })).toBe(typed);
	});

	it('is read as it is written, in every language and region', () => {
		const days = fc.integer({ min: 0, max: 20_000 }).map((day) => new Date(day * 86_400_000 + Date.UTC(2000, 0)));
		const regions = fc.constantFrom(
			'US',
			'GB',
			'CA',
			'IN',
			'ZA',
			'DE',
			'CH',
			'AT',
			'FR',
			'BE',
			'BR',
			'PT',
			'EG',
			'IR',
			'TH',
			'JP',
		);
		fc.assert(
			fc.property(days, fc.constantFrom(...languages), regions, (at, language, region) => {
				const day = at.toISOString().slice(0, 10);
				expect(readDate(shortDate(day, { language, region }), { language, region })).toBe(day);
			}),
		);
	});
});

it('the form of the opening hours reads dates in the order of the region, and shows English dates year first, for release 28086779', () => {
	const business_hours = { weekly: [], holidays: ['2027-01-02', '2027-12-25'] };
	const workspace = { ...samples.workspace, language: 'en', region: 'US', business_hours } as const;
	expect(shownFields('save-hours', workspace)).toMatchObject({ holidays: '2027-01-02\n2027-12-25' });
	expect(savedFields('save-hours', {}, workspace)).toMatchObject({ holidays: '2027-01-02\n2027-12-25' });
	const form = { when: 'hours', by_day: 'yes', time_zone: 'America/New_York', holidays: '01/02/2027\r\n12/25/2027' };
	expect(hoursSection.entered(form, workspace)).toMatchObject({
		business_hours: { holidays: business_hours.holidays },
	});
	// A page that shows the stored dates sends them with the year first.
	const open = { ...form, holidays: '2027-01-02\r\n2027-12-25' };
	expect(hoursSection.entered(open, workspace)).toMatchObject({
		business_hours: { holidays: business_hours.holidays },
	});
});
