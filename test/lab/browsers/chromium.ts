import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/browser/chromium.ts';
import { hasBrowser } from '../../support/browser/installed.ts';
import { type Engine, type Look, WINDOW } from './engine.ts';

/** A window of a running Chromium. */
export async function engineOf(browser: Browser, { scheme, forcedColours = false }: Look): Promise<Engine> {
	const page = await browser.newPage({
		viewport: WINDOW,
		colorScheme: scheme,
		reducedMotion: 'reduce',
		forcedColors: forcedColours ? 'active' : 'none',
	});
	return {
		version: `Chromium ${browser.version()}`,
		tab: {
			goto: async (url) => void (await page.goto(url)),
			reload: async () => void (await page.reload()),
			evaluate: (expression) => page.evaluate(expression),
			click: (x, y) => page.mouse.click(x, y),
			type: (text) => page.keyboard.type(text),
			press: (key) => page.keyboard.press(key),
			picture: () => page.screenshot(),
			print: () => page.pdf(),
		},
		close: () => browser.close(),
	};
}

/** Starts the Chromium of the browser tests. Null if this machine has none. */
export async function startChromium(look: Look): Promise<Engine | null> {
	return (await hasBrowser()) ? engineOf(await launchChromium(), look) : null;
}
