import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import { openStage } from './support/stage.ts';

let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
	stage = await openStage();
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

/** A visitor whose call the team does not answer. */
async function missed(language: string) {
	const visit = await stage.visit({ embed: `data-lang="${language}" data-reference="order-4711"` });
	await visit.open();
	await visit.name.fill('Ada');
	await visit.send();
	await visit.reach('requested');
	Object.assign(visit.api.script, { status: 'failed', failure_reason: 'no_agent_answer' });
	await visit.reach('failed');
	return visit;
}

describe('a visitor whose call the team does not answer', () => {
	it.each([
		['en', "Our team couldn't answer. Shall we call you back later?"],
		['de', 'Unser Team konnte gerade nicht abnehmen. Sollen wir später zurückrufen?'],
		['ar', 'لم يتمكن فريقنا من الرد. هل نتصل بك لاحقًا؟'],
	])(
		'reads so in %s, and asks for a callback in two clicks, with a consent of its own and what was typed',
		async (language, sentence) => {
			const { api, page, panel, consent, submit, ...visitor } = await missed(language);
			expect(await panel.locator('small').first().innerText()).toBe(sentence);
			expect(await visitor.status.textContent()).toBe(sentence);
			expect(await consent.isChecked()).toBe(false);
			expect(await panel.textContent()).toContain('I agree that Acme calls me back later.');
			await page.evaluate(axe.source);
			expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([]);
			await consent.click();
			await submit.click();
			await visitor.reach('lead_sent');
			expect(api.seen('lead').map(({ body }) => body)).toEqual([
				expect.objectContaining({
					phone: '+12025550101',
					name: 'Ada',
					consent: true,
					consent_text_id: 'en-lead-1',
					reference: 'order-4711',
				}),
			]);
			expect(api.seen('call')).toHaveLength(1);
		},
	);

	it('gets no callback without that consent, and nothing is sent by itself', async () => {
		const { api, page, submit, ...visitor } = await missed('en');
		await submit.click();
		await page.getByRole('alert').filter({ hasText: 'Please tick this box first.' }).waitFor();
		expect([api.seen('lead'), api.seen('call').length]).toEqual([[], 1]);
		await page.keyboard.press('Escape');
		expect(await visitor.launcher.isVisible()).toBe(true);
	});

	it('has told the page why, and the callback tells it no reason of the call', async () => {
		const visit = await stage.visit();
		await visit.page.evaluate(
			`details = []; document.addEventListener('callback:state', ({ detail }) => details.push(detail))`,
		);
		await visit.open();
		await visit.send();
		await visit.reach('requested');
		Object.assign(visit.api.script, { status: 'failed', failure_reason: 'no_agent_answer' });
		await visit.reach('failed');
		await visit.consent.click();
		await visit.submit.click();
		await visit.reach('lead_sent');
		const details = await visit.page.evaluate('details.slice(-3).map(({ state, reason }) => [state, reason])');
		expect(details).toEqual([
			['failed', 'no_agent_answer'],
			['sending', null],
			['lead_sent', null],
		]);
	});
});
