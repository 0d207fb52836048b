import { launchChromium } from '../../support/browser/chromium.ts';
import { hasBrowser } from '../../support/browser/installed.ts';
import { type Engine, type Look, WINDOW } from './engine.ts';

/** Starts the Chromium of the browser tests. */
export async function startChromium({ scheme, forcedColours = false }: Look): Promise<Engine | null> {
	if (!(await hasBrowser())) return null;
	const browser = await launchChromium();
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
		},
		close: () => browser.close(),
	};
}
