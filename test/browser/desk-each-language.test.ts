import { expect, it } from '@jest/globals';
import { deskPages } from '../support/browser/every-desk-page.ts';
import { stackAndBrowser } from '../support/browser/stack-and-browser.ts';
import { deskShops } from '../support/stack/desk-shops.ts';

const running = stackAndBrowser();
const { faultsOfEveryPage } = deskPages(
	running,
	deskShops(() => running.stack),
);

// desk.test.ts tests the pages in English and German with axe-core, and in Arabic without it. This file tests Arabic with
// axe-core. The other languages need no check by axe-core, because it does not read words.

it('every page of the desk of a shop in AE, which is read from right to left, fits and is small, and axe-core finds nothing', async () => {
	expect(await faultsOfEveryPage('AE', { isByAxe: true })).toEqual([]);
});

it.each(['IT', 'NL', 'BR', 'PL', 'TR'])('every page of the desk of a shop in %s fits, and is small', async (region) => {
	expect(await faultsOfEveryPage(region, { isByAxe: false })).toEqual([]);
});
