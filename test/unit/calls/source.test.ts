import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { sourceUrl } from '../../../shared/domain/access/origin.ts';
import { sourceOf } from '../../../shared/domain/calls/source.ts';

const SHOP = 'https://shop.example';
/** Returns the source of a call that came from this page. The visitor's browser sends the page's URL. */
function of(page: string) {
	const stored = sourceUrl(`${SHOP}${page}`, SHOP);
	if ('refused' in stored) throw new Error(stored.refused);
	return sourceOf(stored.source_url);
}

describe('the page of a call', () => {
	it.each([
		['/', '/'],
		['', '/'],
		['/pricing', '/pricing'],
		['/pricing/', '/pricing'],
		['//pricing///plans', '/pricing/plans'],
		['/pricing?plan=3#top', '/pricing'],
		['/orders/12345', '/orders/:id'],
		['/2026/11/sale', '/:id/:id/sale'],
		['/items/0f8fad5b-d9cb-469f-a165-70867728950e', '/items/:id'],
		['/items/0F8FAD5B-D9CB-469F-A165-70867728950E/print', '/items/:id/print'],
		['/files/d41d8cd98f00b204e9800998ecf8427e', '/files/:id'],
		['/calls/01KA8Z4N6P2S5V8X1A3C6E9G0H', '/calls/:id'],
		['/reset/aZ3kQ9xY7bT1mN5pR8wL2c', '/reset/:id'],
		['/p/shoes-482913.html', '/p/shoes-:id.html'],
		['/shoes-2026', '/shoes-2026'],
		['/covid-19', '/covid-19'],
		['/account/ada@example.com/orders', '/account/:mail/orders'],
		['/account/ada%40example.com', '/account/:mail'],
		['/call/+1-202-555-0101', '/call/:id'],
		['/call/tel:+1%20(202)%20555-0101', '/call/tel::id'],
		['/call/%D9%A0%D9%A1%D9%A2%D9%A3%D9%A4%D9%A5%D9%A6%D9%A7', '/call/:id'],
		['/цены', '/цены'],
		['/%E4%BE%A1%E6%A0%BC/%E4%B8%80%E8%A6%A7', '/価格/一覧'],
		['/الأسعار', '/الأسعار'],
		['/%FF%FE', '/%FF%FE'],
		['/a%0D%0Ab%E2%80%AEc', '/a bc'],
		['/<img src=x onerror=alert(1)>', '/<img src=x onerror=alert(1)>'],
	])('%s is %s', (page, path) => {
		expect(of(page).path).toBe(path);
	});

	it('is cut if it is longer than 80 characters', () => {
		const { path } = of(`/${'long-'.repeat(400)}`);
		expect([...path]).toHaveLength(80);
		expect(path).toMatch(/^\/long-.*…$/);
		expect([...of(`/${'価'.repeat(200)}`).path]).toHaveLength(80);
	});

	it('is the whole site if its URL cannot be read', () => {
		expect(sourceOf('')).toEqual({ path: '/', campaign: null });
	});
});

describe('the campaign of a call', () => {
	it.each([
		['', null],
		['?utm_medium=cpc', null],
		['?utm_source=&utm_campaign=', null],
		['?utm_source=google', 'google'],
		['?utm_campaign=spring', '– / spring'],
		['?utm_source=google&utm_campaign=spring+sale', 'google / spring sale'],
		['?utm_source=google&utm_source=bing&utm_campaign=a&utm_campaign=b', 'google / a'],
		['?utm_source=&utm_source=bing', 'bing'],
		['?utm_source=%20news%0Aletter%20', 'news letter'],
		['?utm_source=mail&utm_campaign=ada@example.com', 'mail / :mail'],
		['?utm_source=sms&utm_campaign=%2B1%20202%20555%200101', 'sms / :id'],
		['?utm_campaign=for-2025550101', '– / for-:id'],
		['?utm_source==1%2B1', '=1+1'],
		['?utm_source=яндекс&utm_campaign=осень', 'яндекс / осень'],
		['?utm_source=<script>', '<script>'],
	])('%s is %s', (query, campaign) => {
		expect(of(`/${query}`).campaign).toBe(campaign);
	});

	it('is cut if a part is longer than 40 characters', () => {
		const { campaign } = of(`/?utm_source=${'s'.repeat(500)}&utm_campaign=${'c'.repeat(500)}`);
		expect(campaign).toBe(`${'s'.repeat(39)}… / ${'c'.repeat(39)}…`);
	});
});

it('the names of the page and the campaign are short for any URL, and show neither a phone number nor a mail address', () => {
	const word = fc.oneof(
		fc.string({ unit: 'grapheme', maxLength: 60 }),
		fc.constantFrom('+12025550101', '2025550101', '(202) 555-0101', 'ada@example.com', '0044 20 7946 0101'),
	);
	const property = (path: readonly string[], source: string, campaign: string): void => {
		const query = new URLSearchParams({ utm_source: source, utm_campaign: campaign });
		const stored = sourceUrl(`${SHOP}/${path.map((each) => encodeURIComponent(each)).join('/')}?${query}`, SHOP);
		if ('refused' in stored) return;
		const named = sourceOf(stored.source_url);
		expect(named.path.startsWith('/')).toBe(true);
		expect([...named.path].length).toBeLessThanOrEqual(80);
		expect([...(named.campaign ?? '')].length).toBeLessThanOrEqual(83);
		const text = `${named.path} ${named.campaign}`;
		expect(text.replace(/[\s().-]/g, '')).not.toMatch(/2025550101|2079460101/);
		expect(text).not.toContain('ada@example.com');
		expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
	};
	const wellFormed = word.filter((text) => text.isWellFormed());
	fc.assert(fc.property(fc.array(wellFormed, { maxLength: 5 }), wellFormed, wellFormed, property), { numRuns: 2000 });
});
