import { type Browser, chromium, type Page } from 'playwright-core';
import { HANGS_AFTER_MS } from '../stack/api.ts';
import { browserProgram } from './installed.ts';

/**
 * How long a step waits for an element that does not come, such as a button whose name has changed. While the machine had nine
 * processes for two processors, the longest of 1,250 steps waited 7 s for the end of a call. So this is enough for a machine with
 * a third of its speed, and a test that waits for a lost element still fails within a minute.
 */
const LOST_AFTER_MS = 60_000;

/** Starts a separate Chromium, with a fresh profile. */
export async function launchChromium(): Promise<Browser> {
	const browser = await chromium.launch({
		...(await browserProgram()),
		timeout: HANGS_AFTER_MS,
		headless: true,
		// Without this default argument of Playwright, the back/forward cache is on.
		ignoreDefaultArgs: ['--disable-back-forward-cache'],
		// Pages live for seconds, so V8's optimising compiler costs more than it saves.
		args: ['--no-sandbox', '--js-flags=--no-opt'],
	});
	// Playwright's own limits of 30 s are too short for a slow machine.
	browser.on('context', (context) => {
		context.setDefaultTimeout(LOST_AFTER_MS);
		// A page may have to be built first, or come from a function that starts.
		context.setDefaultNavigationTimeout(HANGS_AFTER_MS);
	});
	return browser;
}

/**
 * Goes back in the browser's history. A page from the back/forward cache fires no `load` event, so this waits only until the
 * browser has gone to the page.
 */
export async function goBack(page: Page): Promise<void> {
	await page.goBack({ waitUntil: 'commit' });
}
