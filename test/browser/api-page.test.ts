import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './support/chromium.ts';

const address = pathToFileURL('docs/api.html').href;

let browser: Browser;
beforeAll(async () => {
	browser = await launchChromium();
});
afterAll(() => browser.close());

async function opened(options: { width?: number; colorScheme?: 'light' | 'dark'; at?: string }): Promise<Page> {
	const { width = 1280, colorScheme = 'light', at = '' } = options;
	const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
	await page.goto(`${address}${at}`);
	return page;
}

describe('docs/api.html', () => {
	it('asks for nothing but itself', async () => {
		const page = await browser.newPage();
		const asked: string[] = [];
		page.on('request', (request) => asked.push(request.url()));
		await page.goto(address);
		expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([address]);
		await page.close();
	});

	it('leads every one of its links somewhere', async () => {
		const page = await opened({});
		const dead = await page.evaluate(`[...document.querySelectorAll('a[href^="#"]')]
			.map((link) => link.getAttribute('href')).filter((href) => !document.getElementById(href.slice(1)))`);
		expect(dead).toEqual([]);
		const ids: string[] = await page.evaluate(`[...document.querySelectorAll('[id]')].map(({ id }) => id)`);
		expect(new Set(ids).size).toBe(ids.length);
		await page.close();
	});

	it.each([320, 390, 768, 1280, 1920])('needs no scrolling to the side at %i pixels', async (width) => {
		const page = await opened({ width });
		expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
		await page.close();
	});

	it('shows its menu beside the text on a desk, and on demand on a phone', async () => {
		const desk = await opened({});
		const link = (page: Page) =>
			page.getByRole('navigation').getByRole('link', { name: 'Read a call', exact: false }).first();
		expect(await link(desk).isVisible()).toBe(true);
		const phone = await opened({ width: 390, at: '#get-call' });
		expect(await link(phone).isVisible()).toBe(false);
		await phone.getByLabel('Menu').check();
		expect(await link(phone).isVisible()).toBe(true);
		await Promise.all([desk.close(), phone.close()]);
	});

	it.each(['light', 'dark'] as const)('gives axe-core nothing to find: %s', async (colorScheme) => {
		const page = await opened({ colorScheme });
		await page.evaluate(`document.querySelectorAll('details').forEach((details) => { details.open = true; })`);
		await page.evaluate(axe.source);
		const found = await page.evaluate(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
			nodes.slice(0, 3).map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`);
		expect(found).toEqual([]);
		await page.close();
	});
});
