import { expect, it } from '@jest/globals';
import { deskPages } from '../support/browser/every-desk-page.ts';
import { stackAndBrowser } from '../support/browser/stack-and-browser.ts';
import { deskShops } from '../support/stack/desk-shops.ts';

const running = stackAndBrowser();
const { faultsOfPages } = deskPages(
	running,
	deskShops(() => running.stack),
);

// desk.test.ts tests every page in English with axe-core, and some pages in German and Arabic. This file tests every page in
// German, Arabic and Spanish with axe-core, each in another look. The other languages need no check by axe-core, because it
// does not read words.

it.each([
	['DE', 'which is shown in dark colours', { colorScheme: 'dark' }],
	['AE', 'which is read from right to left', {}],
	['ES', 'which is shown in forced colours', { forcedColors: 'active' }],
] as const)(
	'every page of the desk of a shop in %s, %s, fits and is small, and axe-core finds nothing',
	async (region, _, options) => {
		expect(await faultsOfPages(region, { ...options, isByAxe: true })).toEqual([]);
	},
);

it.each(['FR', 'IT', 'NL', 'BR', 'PL', 'TR'])(
	'every page of the desk of a shop in %s fits, and is small',
	async (region) => {
		expect(await faultsOfPages(region, { isByAxe: false })).toEqual([]);
	},
);
