import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';

/** The minified file is half the size of the package's main file, and each tested page has to receive and parse it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations that axe-core finds on the page, without its frames: each with its rule and the elements concerned. */
export async function findings(page: Page): Promise<string[]> {
	if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(AXE);
	// With these result types, axe describes only the elements that violate a rule, not those that pass.
	return page.evaluate(`axe
		.run({ iframes: false, resultTypes: ['violations'] })
		.then(({ violations }) => violations.flatMap(({ id, nodes }) =>
			nodes.map(({ target }) => id + ': ' + target.join(' '))))`);
}

const copies = new WeakMap<BrowserContext, Page>();

/**
 * The violations on a page whose Content-Security-Policy allows no script. axe runs on a copy of the page, in a second page of
 * the browser's context. All copies of one context use this second page, so axe is loaded only once.
 */
export async function findingsInCopy(page: Page): Promise<string[]> {
	const context = page.context();
	const copy = copies.get(context) ?? (await context.newPage());
	copies.set(context, copy);
	await copy.setContent(await page.content());
	return findings(copy);
}
