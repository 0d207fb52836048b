import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isStorableOrigin, originTyped } from '../../../shared/domain/access/origin.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { hoursSection } from '../../../shared/http/desk/hours/hours-section.ts';
import { consentSection, siteSection } from '../../../shared/http/desk/site/site-sections.ts';
import { readDate, shortDate } from '../../../shared/presentation/short-date.ts';
import { samples } from '../../support/sample-records.ts';

// Tests settings as owners type them, and how they are stored.

describe('a date', () => {
	it.each([
		['de', '25.12.2026', '2026-12-25'],
		['de', '1.2.2027', '2027-02-01'],
		['de', ' 25. 12. 2026', '2026-12-25'],
		['de', '25.12.26', '2026-12-25'],
		['fr', '25/12/2026', '2026-12-25'],
		['fr', '03/04/2026', '2026-04-03'],
		['nl', '25-12-2026', '2026-12-25'],
		['pl', '25 12 2026', '2026-12-25'],
		['ar', '٢٥/١٢/٢٠٢٦', '2026-12-25'],
		['ar', '\u200f25\u200f/12\u200f/2026', '2026-12-25'],
		['en', '25.12.2026', '2026-12-25'],
		['en', '25/12/2026', '2026-12-25'],
		['en', '12/25/2026', '2026-12-25'],
		['en', '05/05/2026', '2026-05-05'],
		['en', '2026/1/5', '2026-01-05'],
		['tr', '2026-12-25', '2026-12-25'],
	] as const)('typed in %s as %j is read', (language, typed, date) => {
		expect(readDate(typed.trim(), { language })).toBe(date);
	});

	it.each([
		['en', '03/04/2026'],
		['en', '3-4-26'],
		['de', 'Weihnachten'],
		['de', '25.12.'],
		['de', '31.2.2026'],
		['en', '2026-13-01'],
		['de', '25.12.126'],
		['de', '2026'],
		['fr', '25/12/2026 et 26/12/2026'],
	] as const)('typed in %s as %j is not guessed', (language, typed) => {
		expect(readDate(typed, { language })).toBe(typed);
	});

	it('is read as it is written, in every language', () => {
		const days = fc.integer({ min: 0, max: 20_000 }).map((day) => new Date(day * 86_400_000 + Date.UTC(2000, 0)));
		const date = days.map((day) => day.toISOString().slice(0, 10));
		fc.assert(
			fc.property(date, fc.constantFrom(...languages), (day, language) => {
				expect(readDate(shortDate(day, { language }), { language })).toBe(day);
			}),
		);
	});
});

describe('the address of a site', () => {
	it.each([
		['www.shop.example', 'https://www.shop.example'],
		['Shop.Example', 'https://shop.example'],
		['https://shop.example/', 'https://shop.example'],
		['https://shop.example/cart?id=1#top', 'https://shop.example'],
		['shop.example:8443/cart', 'https://shop.example:8443'],
		['https://shop.example:443', 'https://shop.example'],
		['HTTPS://SHOP.EXAMPLE', 'https://shop.example'],
		['münchen.example', 'https://xn--mnchen-3ya.example'],
		['localhost:3000', 'http://localhost:3000'],
		['http://localhost:3000/a', 'http://localhost:3000'],
	])('%j is read as %s', (typed, origin) => {
		expect([originTyped(typed), isStorableOrigin(origin)]).toEqual([origin, true]);
	});

	it.each([
		'http://shop.example',
		'shop',
		'ida@shop.example',
		'https://ida:pw@shop.example',
		'*.shop.example',
		'https://*.shop.example',
		'javascript:alert(1)',
		'data:text/html,x',
		'file:///etc/passwd',
		'shop.example www.shop.example',
		'null',
		'192.168.0.1',
		'https://',
	])('%j is refused, and the form shows it as it was typed', (typed) => {
		expect([originTyped(typed), isStorableOrigin(originTyped(typed))]).toEqual([typed, false]);
	});
});

describe('a section of the settings', () => {
	const workspace = { ...samples.workspace, language: 'de' } as const;

	it('reads a list by line or comma, without duplicates, and adds the date that was chosen in the calendar', () => {
		expect(
			hoursSection.entered(
				{
					when: 'hours',
					'from-1-0': '09:00',
					'to-1-0': '17:00',
					time_zone: 'Europe/Berlin',
					holidays: '26.12.2026, 25.12.2026\r\n\r\n2026-12-25;31.2.2026',
					holiday: '2026-12-24',
				},
				workspace,
			),
		).toMatchObject({
			business_hours: { holidays: ['2026-12-24', '2026-12-25', '2026-12-26', '31.2.2026'] },
		});
		const site = { name: 'Shop', language: 'de', origins: 'shop.example/a, https://shop.example\nwww.shop.example' };
		expect(siteSection.entered(site, workspace)).toMatchObject({
			origins: ['https://shop.example', 'https://www.shop.example'],
		});
	});

	it('shows its dates as its language writes them', () => {
		const business_hours = { weekly: [], holidays: ['2026-12-25', '2027-01-01'] };
		expect(hoursSection.saved({ ...workspace, business_hours })['holidays']).toBe('25.12.2026\n01.01.2027');
	});

	it('adds https to the link of a privacy policy, and to nothing else', () => {
		const linkOf = (privacy_links: string) => consentSection.entered({ language: 'de', privacy_links }, workspace);
		for (const [typed, link] of [
			['shop.example/privacy', 'https://shop.example/privacy'],
			['javascript:alert(1)', 'javascript:alert(1)'],
			['', null],
		] as const)
			expect(linkOf(typed)).toMatchObject({ privacy_links: { de: link } });
	});
});
