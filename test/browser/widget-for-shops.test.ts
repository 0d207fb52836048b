import { describe, expect, it } from '@jest/globals';
import { findings } from '../support/browser/axe.ts';
import { suiteStage, type VisitOptions } from '../support/browser/stage.ts';

// desk-story.test.ts tests missed calls and callbacks in other languages and with the real service.

const stage = suiteStage();

const LOGO = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"/>')}`;
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const reference = 'order-4711';
const privacy_url = 'https://shop.example/privacy?from=widget&lang=x';

/** A visitor whose call the team does not answer. */
async function missed(options: VisitOptions = {}) {
	const visit = await stage.visit(options);
	await visit.open();
	await visit.name.fill('Ada');
	await visit.send();
	await visit.reach('requested');
	Object.assign(visit.api.script, { status: 'failed', failure_reason: 'no_agent_answer' });
	await visit.reach('failed');
	return visit;
}

describe('a visitor whose call the team does not answer', () => {
	it('asks for a callback in two clicks, with a separate consent and with what was typed', async () => {
		const { api, page, panel, consent, submit, ...visitor } = await missed({ embed: `data-reference="${reference}"` });
		const sentence = "Our team couldn't answer. Shall we call you back later?";
		expect(await panel.locator('small').first().innerText()).toBe(sentence);
		expect(await visitor.status.textContent()).toBe(sentence);
		expect(await consent.isChecked()).toBe(false);
		expect(await panel.textContent()).toContain('I agree that Acme calls me back later.');
		expect(await findings(page)).toEqual([]);
		await consent.click();
		await submit.click();
		await visitor.reach('lead_sent');
		const asked = { phone: '+12025550101', name: 'Ada', consent: true, consent_text_id: 'en-lead-1', reference };
		expect(api.seen('lead').map(({ body }) => body)).toEqual([expect.objectContaining(asked)]);
		expect(api.seen('call').map(({ body }) => body?.reference)).toEqual([reference]);
	});

	it('gets no callback without the separate consent, and the widget sends nothing by itself', async () => {
		const { api, page, submit, ...visitor } = await missed();
		await submit.click();
		await page.getByRole('alert').filter({ hasText: 'Please tick this box first.' }).waitFor();
		expect([api.seen('lead'), api.seen('call').length]).toEqual([[], 1]);
		await page.keyboard.press('Escape');
		expect(await visitor.launcher.isVisible()).toBe(true);
	});
});

describe('the reference of a call', () => {
	it.each([
		['the attribute of the element', ` ${reference} `, undefined, reference],
		['the last open(), cut to what the service takes', 'first', `second ${'x'.repeat(80)}`, `second ${'x'.repeat(57)}`],
	])('is sent as given by %s', async (_, attribute, opened, sent) => {
		const visit = await stage.visit({ element: `reference="${attribute}"` });
		const about = JSON.stringify(opened === undefined ? {} : { reference: opened });
		await visit.page.evaluate(`document.querySelector('call-back-widget').open(${about})`);
		await visit.send();
		await visit.reach('requested');
		expect(visit.api.seen('call')[0]?.body).toMatchObject({ reference: sent });
	});
});

describe('the privacy policy', () => {
	it('is linked beside the consent, for a call and for a callback, and opens in its own tab', async () => {
		const { panel, api, ...visitor } = await stage.visit({
			prepare: ({ script }) => void Object.assign(script.config, { privacy_url }),
		});
		await visitor.open();
		const link = panel.getByRole('link', { name: 'Privacy policy' });
		const shown = async () => {
			await link.waitFor();
			return Promise.all(['href', 'target', 'rel'].map((attribute) => link.getAttribute(attribute)));
		};
		const expected = [privacy_url, '_blank', 'noopener noreferrer'];
		expect(await shown()).toEqual(expected);
		await visitor.send();
		await visitor.reach('requested');
		expect(await link.isVisible()).toBe(false);
		Object.assign(api.script, { status: 'failed', failure_reason: 'visitor_busy' });
		await visitor.reach('failed');
		await visitor.lead.click();
		expect(await shown()).toEqual(expected);
	});

	it('is not linked if the workspace has none', async () => {
		const { panel, ...visitor } = await stage.visit();
		await visitor.open();
		expect(await panel.getByRole('link').count()).toBe(0);
	});
});

describe.each<[string, VisitOptions['context']]>([
	['on a phone', PHONE],
	['in the dark', { colorScheme: 'dark' }],
])('%s', (_, context = {}) => {
	it('the logo, the greeting and the initials stand above the form and fit, and axe-core finds nothing', async () => {
		const looks = `data-logo="${LOGO}" data-greeting="Hi, we are Ilex. Shall we ring you?" data-avatar="Ida Wells"`;
		const visit = await stage.visit({ context, embed: looks });
		await visit.open();
		await visit.page.getByRole('heading', { name: 'Hi, we are Ilex. Shall we ring you?' }).waitFor();
		expect(await visit.inside("root.querySelector('[part=avatar]').textContent")).toBe('IW');
		expect(await visit.inside("root.querySelector('[part=name]').textContent")).toBe('Ida Wells');
		expect(await visit.inside("root.querySelector('[part=logo]').getBoundingClientRect().height")).toBe(32);
		const overlap = `(() => { const a = root.querySelector('[part=head]').lastChild.getBoundingClientRect();
			const b = root.querySelector('[part=close]').getBoundingClientRect(); return a.right > b.left && a.top < b.bottom; })()`;
		expect(await visit.inside(overlap)).toBe(false);
		expect(await findings(visit.page)).toEqual([]);
		expect(await visit.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
		expect(visit.troubles).toEqual([]);
	});
});

describe('an avatar', () => {
	it('that is given as a URL is shown as an image', async () => {
		const visit = await stage.visit({ embed: `data-avatar="${LOGO}"` });
		await visit.open();
		expect(await visit.inside("root.querySelector('img[part=avatar]').alt")).toBe('');
	});

	it('with a long name leaves room for the name, the logo and the close button', async () => {
		const name = 'Maximiliane-Alexandra von Hohenlohe-Langenburg';
		const visit = await stage.visit({
			embed: `data-avatar="${name}" data-logo="${LOGO}"`,
			context: { viewport: { width: 320, height: 640 } },
		});
		await visit.open();
		const cut = `[...root.querySelectorAll('[part=head] *')].filter((e) => e.scrollWidth > e.clientWidth + 1
			|| e.getBoundingClientRect().right > root.querySelector('[part=close]').getBoundingClientRect().left
				&& e.getBoundingClientRect().top < root.querySelector('[part=close]').getBoundingClientRect().bottom).length`;
		expect(await visit.inside(cut)).toBe(0);
		await visit.page.getByText(name).waitFor();
	});
});
