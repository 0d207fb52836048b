import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { findings } from '../support/browser/axe.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { kitPage } from '../support/browser/kit-page.ts';
import { misfits } from '../support/browser/misfits.ts';
import { deskInMemory } from '../support/stack/desk-in-memory.ts';

// The components of the desk's pages, each in each of its states. The page is made in test/support/browser/kit-page.ts.

let browser: Browser;
beforeAll(async () => {
	browser = await launchChromium();
});
afterAll(() => browser.close());

const STATES = ['plain', 'saved', 'refused', 'changed'] as const;
const LOOKS = [
	{ colorScheme: 'light', forcedColors: 'none' },
	{ colorScheme: 'dark', forcedColors: 'none' },
	{ colorScheme: 'light', forcedColors: 'active' },
] as const;

describe.each(LOOKS)('the parts of the desk in %j', (look) => {
	it.each(['en', 'de', 'ar'] as const)('fit, and axe-core finds nothing: %s', async (language) => {
		const page = await browser.newPage({ ...look, viewport: { width: 1440, height: 900 } });
		const found: string[] = [];
		for (const state of STATES) {
			await page.setContent(kitPage(language, state));
			expect(await page.locator('[data-part]').count()).toBe(9);
			found.push(...(await misfits(page)).map((misfit) => `${state}, ${misfit}`));
			found.push(...(await findings(page)).map((finding) => `${state}, ${finding}`));
		}
		expect(found).toEqual([]);
		await page.close();
	});
});

it('a refused form shows the error beside its field, and a form that another person has changed shows what was entered', () => {
	expect(kitPage('en', 'refused')).toContain('aria-invalid="true"');
	expect(kitPage('en', 'changed')).toContain('You entered:');
	for (const state of ['plain', 'saved'] as const) expect(kitPage('en', state)).not.toContain('aria-invalid="true"');
});

it.each([390, 1440])('the link that skips the menu is in front when it has the focus, at %d px', async (width) => {
	const desk = deskInMemory();
	const { id, owner } = await desk.newShop();
	const { cookie } = await desk.signIn(owner, id);
	const page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
	await page.setContent((await desk.send(desk.pageAt('today'), { cookie })).html);
	await page.keyboard.press('Tab');
	const skip = page.locator('.skip:focus');
	await skip.waitFor();
	// The click would reach the link only if nothing covers it.
	await skip.click({ trial: true });
	await page.close();
});
