import { type Browser, chromium, type Page } from 'playwright-core';
import { HANGS_AFTER_MS } from '../stack/api.ts';
import { browserProgram } from './installed.ts';

/**
 * How long a step waits for an element that does not come, such as a button whose name has changed. With nine processes on two
 * processors, the longest of 1,250 steps waited 7 s. So this is enough even for a much slower machine, and a test that waits
 * for a lost element fails within a minute.
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
		// A page may take long, because a program has to build it first or a function has to start.
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
