import { type Browser, chromium, type Page } from 'playwright-core';
import { HANGS_AFTER_MS } from '../stack/api.ts';
import { browserProgram } from './installed.ts';

/** Starts a separate Chromium, with a fresh profile. */
export async function launchChromium(): Promise<Browser> {
	const browser = await chromium.launch({
		...(await browserProgram()),
		timeout: HANGS_AFTER_MS,
		headless: true,
		// Enables the back/forward cache.
		ignoreDefaultArgs: ['--disable-back-forward-cache'],
		// Pages live for seconds, so V8's optimising compiler costs more than it saves.
		args: ['--no-sandbox', '--js-flags=--no-opt'],
	});
	// The library's own limit of 30 s is too short for a slow machine.
	browser.on('context', (context) => context.setDefaultTimeout(HANGS_AFTER_MS));
	return browser;
}

/** Goes back like a person. A page from the back/forward cache fires no `load`, so wait for its content. */
export async function goBack(page: Page): Promise<void> {
	await page.goBack({ waitUntil: 'commit' });
}
