import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe-core finds on the page, frames aside: the rule and the place of each violation. */
export async function findings(page: Page): Promise<string[]> {
	await page.evaluate(axe.source);
	return page.evaluate(`axe.run({ iframes: false }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
		nodes.map(({ target }) => id + ': ' + target.join(' '))))`);
}
