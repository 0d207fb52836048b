import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { deskTextsIn } from '../../shared/presentation/desk-texts.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { deskInMemory } from '../support/stack/desk-in-memory.ts';

// Where the preview of the widget stands on the page of its look. The desk runs in memory and responds to the browser's
// requests.

const { newShop, signIn, send, desk } = deskInMemory();
let browser: Browser;
beforeAll(async () => {
	browser = await launchChromium();
});
afterAll(() => browser.close());

async function lookPage(width: number, height: number, options: BrowserContextOptions = {}): Promise<Page> {
	const shop = await newShop();
	const { cookie } = await signIn(shop.owner, shop.id);
	const page = await browser.newPage({ viewport: { width, height }, ...options });
	// The frame stays empty, because only its place matters.
	await page.route('**/preview**', (route) => route.fulfill({ body: '' }));
	await page.route(/site|desk\.js/, async (route) => {
		const { pathname, search } = new URL(route.request().url());
		const { status, headers, html } = await send(desk(`${pathname.replace('/v1/desk/', '')}${search}`), { cookie });
		await route.fulfill({ status, headers: Object.fromEntries(headers), body: html });
	});
	await page.goto(desk('pages/site?look'));
	return page;
}
const boxOf = async (page: Page, selector: string) => {
	const box = await page.locator(selector).boundingBox();
	if (box === null) throw new Error(`${selector} is not shown`);
	return { top: box.y, bottom: box.y + box.height, left: box.x, right: box.x + box.width };
};

it.each([
	[390, 844],
	[320, 640],
])('on a phone of %i × %i pixels, the preview stays in sight above the field that a person edits', async (w, h) => {
	const page = await lookPage(w, h);
	for (const field of ['#accent', '#greeting']) {
		await page.locator(field).focus();
		const [device, input] = [await boxOf(page, '.device'), await boxOf(page, field)];
		expect([field, device.top >= 0, device.bottom <= input.top, input.bottom <= h]).toEqual([field, true, true, true]);
	}
	expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(w);
	await page.close();
});

it('on a computer, the preview stands beside the fields, at the same height', async () => {
	const page = await lookPage(1440, 900);
	const [preview, form] = [await boxOf(page, '.preview'), await boxOf(page, 'form[name=look]')];
	expect(preview.left).toBeGreaterThan(form.right);
	expect(Math.abs(preview.top - form.top)).toBeLessThan(16);
	await page.close();
});

it('without a script, the page says how to see the change, and leaves no room for the preview', async () => {
	const page = await lookPage(390, 844, { javaScriptEnabled: false });
	// Playwright's locators by text leave out this element.
	const says = page.locator('noscript p');
	expect([await says.isVisible(), await says.textContent()]).toEqual([true, deskTextsIn('en').look.no_script]);
	expect(await page.locator('.preview').isVisible()).toBe(false);
	await page.close();
});
