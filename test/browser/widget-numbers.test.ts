import { describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import { calling } from '../support/browser/scripted-api.ts';
import { soon, suiteStage, type VisitOptions } from '../support/browser/stage.ts';

const stage = suiteStage();

/** A visitor of a workspace that calls these regions. The form is open. */
async function visitFrom(regions: readonly [string, ...string[]], options: VisitOptions = {}) {
	const visit = await stage.visit(options);
	visit.api.script.config = { ...visit.api.script.config, ...calling(...regions) };
	await visit.open();
	const text = async (selector: string): Promise<string> =>
		(await visit.page.locator(selector).innerText()).replaceAll(/[\u2066\u2069]/g, '').replaceAll('\u00a0', ' ');
	return { ...visit, hint: () => text('#hint'), shown: () => text('bdi') };
}

describe('on the screen of a phone', () => {
	const context = { viewport: { width: 360, height: 740 } };

	it('a number in national format is shown as it will be called, is sent in E.164 and stays visible', async () => {
		const { api, page, phone, ...visitor } = await visitFrom(['GB'], { context });
		expect(await visitor.hint()).toBe('For example 020 7946 0101');
		await phone.pressSequentially('02079460101');
		expect(await visitor.hint()).toBe("We'll call +44 20 7946 0101");
		expect(await phone.inputValue()).toBe('02079460101');
		await visitor.consent.check();
		await visitor.submit.click();
		await visitor.reach('requested');
		expect(api.seen('call')[0]?.body?.phone).toBe('+442079460101');
		expect(await visitor.shown()).toBe('+44 20 7946 0101');
		expect(visitor.troubles).toEqual([]);
		expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
	});

	it('a number without a country code belongs to the workspace’s own region, until the visitor chooses another', async () => {
		const { api, page, phone, ...visitor } = await visitFrom(['US', 'DE', 'GB'], { context });
		const country = page.getByRole('combobox', { name: 'Which country is this number in?' });
		expect(await country.isVisible()).toBe(false);
		await phone.fill('(202) 555-0101');
		expect(await country.inputValue()).toBe('US');
		expect(await visitor.hint()).toBe("We'll call +1 202 555 0101");
		await phone.fill('011 44 20 7946 0101');
		expect(await visitor.hint()).toBe("We'll call +44 20 7946 0101");
		expect(await country.isVisible()).toBe(false);
		await visitor.send('555-0101');
		await page.getByRole('alert').filter({ hasText: 'This number is too short.' }).waitFor();
		await visitor.send('020 7946 0101');
		await page.getByRole('alert').filter({ hasText: 'Which country is this number in?' }).waitFor();
		expect(await visitor.focused()).toBe('country');
		expect(api.seen('call')).toEqual([]);
		await page.evaluate(axe.source);
		expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([]);
		await country.selectOption({ label: 'United Kingdom (\u2066+44\u2069)' });
		expect(await visitor.hint()).toBe("We'll call +44 20 7946 0101");
		await visitor.submit.click();
		await visitor.reach('requested');
		expect(api.seen('call').map(({ body }) => body?.phone)).toEqual(['+442079460101']);
	});
});

describe('the promise to call, under the phone field,', () => {
	it('appears once the service would call the number, and not beside an error', async () => {
		const { api, page, phone, ...visitor } = await visitFrom(['US'], { context: {} });
		const example = 'For example (202) 555-0123';
		for (const typed of ['+1 234', '911', '+1 900 555 0199', '2025550101 2025550102', '202 555 01']) {
			await phone.fill(typed);
			expect([typed, await visitor.hint()]).toEqual([typed, example]);
		}
		await visitor.send('+1 234');
		await page.getByRole('alert').filter({ hasText: 'This number is too short.' }).waitFor();
		expect(await visitor.hint()).toBe(example);
		api.hitch('call', { code: 'phone_not_callable' });
		await visitor.send('202 555 0101');
		await page.getByRole('alert').filter({ hasText: "We can't call this number." }).waitFor();
		expect(await visitor.hint()).toBe(example);
		await phone.fill('202 555 0102');
		expect(await visitor.hint()).toBe("We'll call +1 202 555 0102");
	});
});

describe('the example under the phone field', () => {
	it.each([
		['de', 'US', 'Zum Beispiel (202) 555-0123'],
		['ar', 'GB', 'مثال: 020 7946 0101'],
	])('in %s is a number of region %s', async (lang, region, hint) => {
		const visitor = await visitFrom([region], { root: `lang="${lang}"` });
		await soon(async () => (await visitor.hint()) === hint);
	});
});

describe('the panel', () => {
	it('is loaded when a visitor approaches the launcher, and not before', async () => {
		const asked = () => stage.cdn.asked.filter((name) => name === stage.manifest.panel.file).length;
		const { launcher, ...visitor } = await stage.visit();
		const before = asked();
		await launcher.waitFor();
		expect(asked()).toBe(before);
		await launcher.hover();
		await soon(() => asked() === before + 1);
		await launcher.click();
		await visitor.phone.waitFor();
		expect(asked()).toBe(before + 1);
	});

	it('is loaded again at the next click after it could not be loaded', async () => {
		const { page, launcher, ...visitor } = await stage.visit();
		const file = new RegExp(stage.manifest.panel.file);
		await page.route(file, (route) => route.abort());
		await launcher.click();
		await launcher.filter({ hasText: 'No connection' }).waitFor();
		await page.unroute(file);
		await launcher.click();
		await visitor.phone.waitFor();
	});

	it('does not run if its hash differs from the build', async () => {
		const { page, launcher, ...visitor } = await stage.visit();
		await page.route(new RegExp(stage.manifest.panel.file), async (route) => {
			const response = await route.fetch();
			await route.fulfill({ response, body: `globalThis.tampered = true;${await response.text()}` });
		});
		await launcher.click();
		await launcher.filter({ hasText: 'No connection' }).waitFor();
		expect(await page.evaluate('globalThis.tampered')).toBeUndefined();
		expect(await visitor.panel.count()).toBe(0);
	});
});
