import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import { openStage } from './support/stage.ts';

let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
	stage = await openStage();
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

const privacy_url = 'https://shop.example/privacy?from=widget&lang=x';

describe('the page about privacy', () => {
	it.each([
		['en', 'Privacy policy'],
		['de', 'Datenschutzerklärung'],
		['ar', 'سياسة الخصوصية'],
	])(
		'is linked beside the consent in %s, for a call and for a callback, in a tab of its own',
		async (language, name) => {
			const { page, panel, api, ...visitor } = await stage.visit({
				embed: `data-lang="${language}"`,
				prepare: ({ script }) => {
					script.config = { ...script.config, privacy_url };
				},
			});
			await visitor.open();
			const link = panel.getByRole('link', { name });
			const attributes = ['href', 'target', 'rel'];
			const shown = async () => {
				expect(await link.isVisible()).toBe(true);
				return Promise.all(attributes.map((attribute) => link.getAttribute(attribute)));
			};
			const expected = [privacy_url, '_blank', 'noopener noreferrer'];
			expect(await shown()).toEqual(expected);
			await page.evaluate(axe.source);
			expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([]);
			await visitor.send();
			await visitor.reach('requested');
			expect(await link.isVisible()).toBe(false);
			Object.assign(api.script, { status: 'failed', failure_reason: 'visitor_busy' });
			await visitor.reach('failed');
			await visitor.lead.click();
			expect(await shown()).toEqual(expected);
		},
	);

	it('is not there if the workspace has none', async () => {
		const { panel, ...visitor } = await stage.visit();
		await visitor.open();
		expect(await panel.getByRole('link').count()).toBe(0);
	});
});
