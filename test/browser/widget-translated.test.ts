import { describe, expect, it } from '@jest/globals';
import { COUNTS, soon, suiteStage, type VisitOptions } from '../support/browser/stage.ts';
import { translate, type Way, ways } from '../support/browser/translators.ts';
import { spreadOf } from '../support/spread-of.ts';

const stage = suiteStage();

/** A visitor whose browser translates the page. The form is open. */
async function visitTranslated(by: readonly Way[], options: VisitOptions = {}) {
	const visit = await stage.visit(options);
	const { api, page, panel } = visit;
	await visit.launcher.waitFor();
	await translate(page, ...by);
	await visit.open();
	return {
		...visit,
		/** Waits until the page shows the translation of this text, and checks that no text was translated twice. */
		async reads(text: string): Promise<void> {
			await panel.getByText(`\u00ab${text}\u00bb`).first().waitFor();
			expect(await visit.inside<string>('root.textContent')).not.toContain('\u00ab\u00ab');
		},
		/** The texts that the widget itself changes while the service responds to some more polls. */
		async changesByPolls(): Promise<unknown> {
			const polls = api.seen('status').length;
			await soon(() => api.seen('status').length > polls + 1);
			await page.evaluate('changes.length = 0');
			await soon(() => api.seen('status').length > polls + 4);
			return page.evaluate('changes');
		},
	};
}

const translators: readonly (readonly [string, readonly Way[]])[] = [
	...ways.map((way) => [way, [way]] as const),
	['does each by turns', ways],
	['does each by turns, in the other order', ways.toReversed()],
];

describe.each(spreadOf(translators, 3))('a translator that %s', (_, by) => {
	it('lets the visitor tick the box, and a poll gives it no text to translate again', async () => {
		const { api, page, reads, changesByPolls, ...visitor } = await visitTranslated(by);
		await reads("We'll call you right now");
		await reads('I agree that Acme calls me.');
		await visitor.submit.click();
		await reads('Please enter your phone number.');
		await reads('Please tick this box first.');
		await visitor.consent.check();
		await visitor.phone.pressSequentially('202 555 0101');
		await visitor.name.fill('Ada');
		await reads("We'll call \u2066+1\u00a0202\u00a0555\u00a00101\u2069");
		expect(await visitor.consent.isChecked()).toBe(true);
		expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0);
		await visitor.submit.click();
		await reads("We're ringing our team...");
		expect(await changesByPolls()).toEqual([]);
		Object.assign(api.script, { status: 'ringing', visitor_phone_rings: true });
		await reads("We're calling your phone now: expect a call from \u2066+1\u00a0312\u00a0555\u00a00101\u2069");
		expect(await changesByPolls()).toEqual([]);
		expect(await page.locator('bdi').textContent()).toBe('+1 202 555 0101');
		Object.assign(api.script, { status: 'connected', connected_for_ms: 0 });
		await reads("You're connected");
		expect(await changesByPolls()).toEqual([]);
		await page.getByRole('timer').filter({ hasText: COUNTS }).waitFor();
		Object.assign(api.script, { status: 'completed', duration_seconds: 5 });
		await reads('Call ended. Thank you!');
		expect(await page.getByRole('timer').textContent()).toBe('0:05');
		expect(api.seen('call').map(({ body }) => body?.consent_text_id)).toEqual(['en-call-1']);
		await visitor.again.click();
		await reads("We'll call you right now");
		expect(visitor.troubles).toEqual([]);
	});

	it('lets the visitor ask for a callback, and shows the consent text for callbacks', async () => {
		const { api, reads, ...visitor } = await visitTranslated(by);
		await visitor.send();
		await reads("We're ringing our team...");
		Object.assign(api.script, { status: 'failed', failure_reason: 'no_agent_answer' });
		await reads("Our team couldn't answer. Shall we call you back later?");
		await reads('I agree that Acme calls me back later.');
		expect(await visitor.consent.isChecked()).toBe(false);
		await visitor.consent.check();
		await visitor.note.fill('in the morning');
		await visitor.submit.click();
		await reads("Thanks! We'll call you back.");
		expect(api.seen('lead').map(({ body }) => body?.consent_text_id)).toEqual(['en-lead-1']);
	});

	it('leaves the box unticked when the workspace has changed its text', async () => {
		const { api, reads, ...visitor } = await visitTranslated(by);
		await visitor.fill();
		const { consent_texts } = api.script.config;
		const call = { id: 'en-call-2', text: 'I agree to ten calls a day.' };
		api.script.config = { ...api.script.config, consent_texts: { ...consent_texts, call } };
		api.hitch('call', { code: 'consent_required' });
		await visitor.submit.click();
		await reads('I agree to ten calls a day.');
		await reads('Please tick this box first.');
		expect(await visitor.consent.isChecked()).toBe(false);
		await visitor.consent.check();
		await visitor.submit.click();
		await reads("We're ringing our team...");
		expect(api.seen('call').map(({ body }) => body?.consent_text_id)).toEqual(['en-call-1', 'en-call-2']);
	});
});
