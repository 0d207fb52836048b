import { type Browser, chromium, type Page } from 'playwright-core';
import { browserProgram } from './installed.ts';

/** Starts a separate Chromium, with a fresh profile. */
export async function launchChromium(): Promise<Browser> {
	return chromium.launch({
		...(await browserProgram()),
		headless: true,
		// Enables the back/forward cache.
		ignoreDefaultArgs: ['--disable-back-forward-cache'],
		// Pages live for seconds, so V8's optimising compiler costs more than it saves.
		args: ['--no-sandbox', '--js-flags=--no-opt'],
	});
}

/** Goes back as a person does. A page from the back/forward cache fires no `load`: wait for what it shows. */
export async function goBack(page: Page): Promise<void> {
	await page.goBack({ waitUntil: 'commit' });
}
