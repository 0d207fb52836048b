import { type Browser, chromium, type Page } from 'playwright-core';
import { HANGS_AFTER_MS } from '../stack/api.ts';
import { browserProgram } from './installed.ts';

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
	// Playwright's own limit of 30 s is too short for a slow machine.
	browser.on('context', (context) => context.setDefaultTimeout(HANGS_AFTER_MS));
	return browser;
}

/**
 * Goes back in the browser's history. A page from the back/forward cache fires no `load` event, so this waits only until the
 * browser has gone to the page.
 */
export async function goBack(page: Page): Promise<void> {
	await page.goBack({ waitUntil: 'commit' });
}
