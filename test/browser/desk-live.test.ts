import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/browser/chromium.ts';
import { deskInMemory } from '../support/stack/desk-in-memory.ts';
import { freshTalker } from '../support/webhooks/customers.ts';

// What the desk's script does on *Today* while a call is live. The desk runs in memory, behind the browser's own requests.

const { newShop, leaveNumber, requestCallFrom, signIn, send, desk } = deskInMemory();
let browser: Browser;
beforeAll(async () => {
	browser = await launchChromium();
});
afterAll(() => browser.close());

/** *Today* of a shop with one live call, in a browser with a clock of its own. */
async function todayWithACall() {
	const shop = await newShop();
	await requestCallFrom(shop, freshTalker(), 'Ada');
	const { cookie } = await signIn(shop.owner, shop.id);
	const page = await browser.newPage();
	let cookies = cookie;
	let looks = 0;
	await page.route('**/*', async (route) => {
		const { pathname } = new URL(route.request().url());
		if (pathname.endsWith('/today')) looks += 1;
		const { status, headers, html } = await send(desk(pathname.replace('/v1/desk/', '')), { cookie: cookies });
		await route.fulfill({ status, headers: Object.fromEntries(headers), body: html });
	});
	await page.clock.install();
	await page.goto(desk('pages/today'));
	return {
		shop,
		page,
		looks: () => looks,
		endSession: () => {
			cookies = '';
		},
	};
}
const text = (page: Page) => page.locator('#lists').textContent();
/** Lets the script ask once more, and waits until its answer was taken. */
async function refreshed({ page, looks }: Awaited<ReturnType<typeof todayWithACall>>) {
	const before = looks();
	const response = page.waitForResponse('**/today');
	await page.clock.runFor(5000);
	await response;
	expect(looks()).toBe(before + 1);
}

describe('Today, while a call is live', () => {
	it('shows who asks to be called back without a reload', async () => {
		const today = await todayWithACall();
		await leaveNumber(today.shop, freshTalker(), 'Grace');
		expect(await text(today.page)).not.toContain('Grace');
		await refreshed(today);
		await today.page.locator('#lists').getByText('Grace').waitFor();
		await today.page.close();
	});

	it('replaces nothing that a person is at', async () => {
		const { page, looks } = await todayWithACall();
		await page.locator('.menu > summary').click();
		await page.clock.runFor(20_000);
		expect(looks()).toBe(1);
		await page.close();
	});

	it('asks no more once the session has ended', async () => {
		const today = await todayWithACall();
		today.endSession();
		await refreshed(today);
		await today.page.clock.runFor(60_000);
		// What the script may have asked for arrives before this.
		await today.page.evaluate("fetch('calls').then((response) => response.text())");
		expect(today.looks()).toBe(2);
		expect(await text(today.page)).toContain('Ada');
		await today.page.close();
	});
});
