import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { Stack } from '../../../local/stack.ts';
import { testStack } from '../../support/stack/stack.ts';
import { launchChromium } from './chromium.ts';

/** A stack and a Chromium for a test file: started before its tests, stopped after them. No page outlives its test. */
export function stackAndBrowser(take: (stack: Stack, browser: Browser) => void): void {
	let stop = async (): Promise<unknown> => undefined;
	let closePages = stop;
	beforeAll(async () => {
		const [stack, browser] = await Promise.all([testStack({ speed: 10 }), launchChromium()]);
		stop = () => Promise.all([stack.stop(), browser.close()]);
		closePages = () => Promise.all(browser.contexts().map((context) => context.close()));
		take(stack, browser);
	});
	afterEach(() => closePages());
	afterAll(() => stop());
}
