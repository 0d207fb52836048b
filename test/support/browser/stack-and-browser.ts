import { afterEach } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { Stack } from '../../../local/stack.ts';
import type { testStack } from '../stack/stack.ts';
import { suiteStack } from '../stack/suite-stack.ts';
import { started } from '../started.ts';
import { launchChromium } from './chromium.ts';

type Console = Pick<Stack, 'console_url' | 'console_key'>;

/**
 * A browser that has opened the address that `npm start` prints. This address contains the key of the console, so the browser is
 * signed in to the console.
 */
export async function ownersBrowser(
	browser: Browser,
	{ console_url, console_key }: Console,
	options: BrowserContextOptions = {},
): Promise<BrowserContext> {
	const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
	const keep = `localStorage.setItem('console-key', ${JSON.stringify(console_key)})`;
	await context.addInitScript(`if (location.origin === ${JSON.stringify(console_url)}) ${keep}`);
	return context;
}

/**
 * A stack and a Chromium for a test file. They start before its tests and stop after them. Every page is closed at the end of its
 * test.
 */
export function stackAndBrowser(options: Parameters<typeof testStack>[0] = {}): {
	readonly stack: Stack;
	readonly browser: Browser;
} {
	const stack = suiteStack({ speed: 10, ...options });
	const browser = started(launchChromium, (running) => running.close());
	afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
	return { stack, browser };
}
