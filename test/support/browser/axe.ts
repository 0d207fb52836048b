import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';

/** Half the size of the package's main file, which each page has to receive and parse. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds on the page, frames aside: the rule and the place of each violation. */
export async function findings(page: Page): Promise<string[]> {
	if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(AXE);
	// axe then describes only violations, not every element that passes.
	return page.evaluate(`axe
		.run({ iframes: false, resultTypes: ['violations'] })
		.then(({ violations }) => violations.flatMap(({ id, nodes }) =>
			nodes.map(({ target }) => id + ': ' + target.join(' '))))`);
}

const copies = new WeakMap<BrowserContext, Page>();

/** The same, in a copy of a page whose own policy lets no script in. A browser's context has one page for all its copies, with one axe. */
export async function findingsInCopy(page: Page): Promise<string[]> {
	const context = page.context();
	const copy = copies.get(context) ?? (await context.newPage());
	copies.set(context, copy);
	await copy.setContent(await page.content());
	return findings(copy);
}
