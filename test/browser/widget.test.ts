import { describe, expect, it } from '@jest/globals';
import { WidgetConfigResponse } from '../../shared/contract/widget/widget.ts';
import { soon, suiteStage } from '../support/browser/stage.ts';

const stage = suiteStage();

/** Converts the data that the widget sent for a call into the data that it sends for a callback. */
const asLead = (call: object | null | undefined, note: string | null = null) => {
	return { ...call, consent_text_id: 'en-lead-1', note };
};

describe('a visitor who requests a call', () => {
	it('follows the call from the request to its end, and then stops polling', async () => {
		const { api, reach, states, status, ...visitor } = await stage.visit();
		await visitor.open();
		await visitor.fill('+1 (202) 555-0101');
		await visitor.name.fill('  Ada  ');
		await visitor.submit.click();
		await reach('requested');
		expect(await status.textContent()).toBe("We're ringing our team...");
		for (const [state, text] of [
			['ringing', "We're ringing our team..."],
			['connected', "You're connected"],
			['completed', 'Call ended. Thank you!'],
		] as const) {
			api.script.status = state;
			await reach(state);
			expect(await status.textContent()).toBe(text);
		}
		const polls = api.seen('status').length;
		expect(await states()).toEqual(['sending', 'requested', 'ringing', 'connected', 'completed']);
		expect(api.seen('call')).toEqual([
			{
				workspace_key: '',
				operation: 'call',
				key: expect.stringMatching(/^[\x20-\x7e]{1,255}$/),
				cookie: undefined,
				cancel_secret: null,
				body: {
					workspace_key: 'wk',
					phone: '+12025550101',
					name: 'Ada',
					consent: true,
					consent_text_id: 'en-call-1',
					page_url: visitor.url,
					reference: null,
				},
			},
		]);
		await visitor.page.waitForTimeout(100);
		expect(api.seen('status')).toHaveLength(polls);
		expect(visitor.troubles).toEqual([]);
	});

	it('sends the page’s URL without the fragment, and cut at 2,048 characters', async () => {
		for (const [rest, sent] of [
			['?utm_source=mail#token=secret', '?utm_source=mail'],
			[`?q=${'x'.repeat(2100)}`, `?q=${'x'.repeat(2100)}`],
		]) {
			const { api, page, ...visitor } = await stage.visit();
			await page.goto(visitor.url + rest);
			await visitor.open();
			await visitor.send();
			await visitor.reach('requested');
			expect(api.seen('call')[0]?.body?.page_url).toBe((visitor.url + sent).slice(0, 2048));
		}
	});

	it.each([
		['', 'Please enter your phone number.'],
		['+49 30 901820', "We can't call numbers in this country."],
	])('types "%s", reads "%s", and nothing is sent', async (number, text) => {
		const { api, phone, page, ...visitor } = await stage.visit();
		await visitor.open();
		await visitor.send(number);
		const error = page.getByRole('alert').filter({ hasText: text });
		await error.waitFor();
		expect(await visitor.focused()).toBe('tel');
		expect(await phone.getAttribute('aria-invalid')).toBe('true');
		expect((await phone.getAttribute('aria-describedby'))?.split(' ')).toContain(await error.getAttribute('id'));
		expect(api.seen('call')).toEqual([]);
	});

	it.each([
		['phone_invalid', 'not_in_plan', "There's no such number in this country."],
		['country_not_allowed', 'of_a_newer_service', "We can't call numbers in this country."],
	] as const)('is led back to the number when the service answers %s (%s)', async (code, fault, text) => {
		const { api, phone, page, ...visitor } = await stage.visit();
		api.hitch('call', { code, extra: { errors: [{ pointer: '/phone', code: fault, detail: '' }] } });
		await visitor.open();
		await visitor.send();
		await page.getByRole('alert').filter({ hasText: text }).waitFor();
		expect(await visitor.focused()).toBe('tel');
		expect(await phone.inputValue()).toBe('+1 202 555 0101');
		await visitor.send('+1 202 555 0102');
		await visitor.reach('requested');
		expect(api.seen('call').map(({ body }) => body?.phone)).toEqual(['+12025550101', '+12025550102']);
	});

	it('is not called without consent to the text of the workspace', async () => {
		const { api, page, consent, ...visitor } = await stage.visit();
		await visitor.open();
		expect(await consent.isChecked()).toBe(false);
		await page.getByText('I agree that Acme calls me.').waitFor();
		await visitor.phone.fill('+12025550101');
		await visitor.submit.click();
		await page.getByRole('alert').filter({ hasText: 'Please tick this box' }).waitFor();
		expect(await visitor.focused()).toBe('input');
		expect(api.seen('call')).toEqual([]);
	});

	it('has to consent again if the text has changed', async () => {
		const { api, page, consent, ...visitor } = await stage.visit();
		await visitor.open();
		await visitor.fill();
		await page.keyboard.press('Escape');
		const { consent_texts } = api.script.config;
		const call = { id: 'en-call-2', text: 'I agree to ten calls a day.' };
		api.script.config = { ...api.script.config, consent_texts: { ...consent_texts, call } };
		await visitor.open();
		await page.getByText('ten calls a day').waitFor();
		expect(await consent.isChecked()).toBe(false);
		expect(await visitor.phone.inputValue()).toBe('+1 202 555 0101');
	});

	it('reads the new text when the service refuses the text that they have agreed to', async () => {
		const { api, page, consent, ...visitor } = await stage.visit();
		await visitor.open();
		await visitor.fill();
		const { consent_texts } = api.script.config;
		const call = { id: 'en-call-2', text: 'I agree to ten calls a day.' };
		api.script.config = { ...api.script.config, consent_texts: { ...consent_texts, call } };
		api.hitch('call', { code: 'consent_required' });
		await visitor.submit.click();
		await page.getByRole('alert').filter({ hasText: 'Please tick this box' }).waitFor();
		await page.getByText('ten calls a day').waitFor();
		expect(await consent.isChecked()).toBe(false);
		await consent.check();
		await visitor.submit.click();
		await visitor.reach('requested');
		expect(api.seen('call').map(({ body }) => body?.consent_text_id)).toEqual(['en-call-1', 'en-call-2']);
	});

	it('gets one call for many clicks', async () => {
		const { api, submit, ...visitor } = await stage.visit();
		api.hitch('call', 'hold');
		await visitor.open();
		await visitor.fill();
		await submit.dblclick();
		await soon(() => api.holding() === 1);
		await submit.click();
		await visitor.page.keyboard.press('Enter');
		api.release();
		await visitor.reach('requested');
		expect(api.seen('call')).toHaveLength(1);
	});
});

describe('a request that fails', () => {
	it('is retried with the same Idempotency-Key after a growing pause, or after Retry-After', async () => {
		const { api, pass, ...visitor } = await stage.visit({ clock: true });
		api.hitch(
			'call',
			'sever',
			{ code: 'service_busy', retry_after: 5 },
			{ code: 'idempotency_conflict', retry_after: 1 },
		);
		await visitor.open();
		await visitor.send();
		for (const [count, pause_ms] of [
			[1, 1000],
			[2, 5000],
			[3, 4000],
		] as const) {
			await soon(() => api.seen('call').length === count);
			await pass(pause_ms * 0.89);
			expect(api.seen('call')).toHaveLength(count);
			await pass(pause_ms * 0.22);
		}
		await visitor.reach('requested');
		expect(new Set(api.seen('call').map(({ key }) => key)).size).toBe(1);
	});

	it('and the next request have different keys', async () => {
		const { api, ...visitor } = await stage.visit();
		api.script.status = 'failed';
		await visitor.open();
		await visitor.send();
		await visitor.reach('failed');
		await visitor.again.click();
		await visitor.submit.click();
		await soon(() => api.seen('call').length === 2);
		const [first, second] = api.seen('call');
		expect(second?.body).toEqual(first?.body);
		expect(second?.key).not.toBe(first?.key);
	});

	it('is given up after four tries, and keeps its key if the visitor sends it again', async () => {
		const { api, page, pass, ...visitor } = await stage.visit({ clock: true });
		api.hitch('call', 'sever', 'sever', 'sever', 'sever');
		await visitor.open();
		await visitor.send();
		await visitor.passUntil(() => api.seen('call').length === 4);
		await visitor.reach('error');
		await page.getByRole('alert').filter({ hasText: 'No connection' }).waitFor();
		await visitor.submit.click();
		await pass();
		await visitor.reach('requested');
		expect(new Set(api.seen('call').map(({ key }) => key)).size).toBe(1);
	});

	it('keeps its key after a reload, unless the visitor has changed the input', async () => {
		const { api, page, ...visitor } = await stage.visit();
		for (const number of ['+1 202 555 0101', '+1 202 555 0102']) {
			api.hitch('call', 'hold');
			await visitor.open();
			await visitor.send();
			await soon(() => api.holding() === 1);
			expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toMatch(/555.?0101/);
			await page.reload();
			if (number.endsWith('2')) api.hitch('call', { code: 'idempotency_key_reused' });
			await visitor.open();
			await visitor.send(number);
			await visitor.reach('requested');
			api.script.status = 'completed';
			await visitor.reach('completed');
			expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}');
			api.script.status = 'requested';
			api.release();
			await page.reload();
		}
		const [first, again, other, refused, own] = api.seen('call').map(({ key }) => key);
		expect(again).toBe(first);
		expect(other).not.toBe(first);
		expect(refused).toBe(other);
		expect(own).not.toBe(other);
	});

	it('waits longer for the answer to each further try', async () => {
		const { api, page, ...visitor } = await stage.visit({ clock: true });
		api.hitch('call', 'hold', 'hold');
		await visitor.open();
		await visitor.fill();
		await visitor.submit.click();
		await page.clock.runFor(1);
		await soon(() => api.seen('call').length === 1);
		await page.clock.runFor(18_000);
		await soon(() => api.seen('call').length === 2);
		await page.clock.runFor(17_000);
		api.release();
		await visitor.reach('requested');
		expect(api.seen('call')).toHaveLength(2);
	});

	it.each([
		['rate_limited', "You can't request another call right now."],
		['page_url_mismatch', "We can't take your call right now."],
	] as const)('because of %s offers a call back with what was typed', async (code, sentence) => {
		const { api, page, ...visitor } = await stage.visit();
		api.hitch('call', { code, retry_after: 600 });
		await visitor.open();
		await visitor.send();
		await page.getByRole('alert').filter({ hasText: sentence }).waitFor();
		await visitor.sendLead();
		await visitor.reach('lead_sent');
		expect(api.seen('lead').map(({ body }) => body)).toEqual([asLead(api.seen('call')[0]?.body)]);
		expect(api.seen('call')).toHaveLength(1);
	});
});

describe('a callback', () => {
	it('is offered after a failed call, with the visitor’s input', async () => {
		const { api, status, ...visitor } = await stage.visit();
		await visitor.open();
		await visitor.send();
		await visitor.reach('requested');
		api.script.status = 'failed';
		await visitor.reach('failed');
		expect(await status.textContent()).toBe("We couldn't connect you");
		await visitor.page.getByRole('heading', { name: 'Your call' }).waitFor();
		await visitor.lead.click();
		await visitor.page.getByText('I agree that Acme calls me back later.').waitFor();
		await visitor.page.getByRole('heading', { name: 'Request a callback' }).waitFor();
		expect(await visitor.consent.isChecked()).toBe(false);
		expect(await visitor.focused()).toBe('input');
		await visitor.note.fill(' tomorrow morning ');
		await visitor.consent.check();
		await visitor.submit.click();
		await visitor.reach('lead_sent');
		const call = api.seen('call')[0];
		const lead = api.seen('lead')[0];
		expect(lead?.body).toEqual(asLead(call?.body, 'tomorrow morning'));
		expect(lead?.key).not.toBe(call?.key);
	});

	it('is not offered after a cancelled call', async () => {
		const { api, ...visitor } = await stage.visit();
		await visitor.open();
		await visitor.send();
		api.script.status = 'canceled';
		await visitor.reach('canceled');
		expect(await visitor.lead.isVisible()).toBe(false);
	});

	it('is what the form requests outside business hours, and the form says when the team is back', async () => {
		const { api, page, ...visitor } = await stage.visit({ context: { timezoneId: 'America/New_York' } });
		api.script.config = { ...api.script.config, open: false, next_open_at: '2026-11-23T14:30:00.000Z' };
		await visitor.open();
		await visitor.reach('closed');
		await page.getByRole('heading', { name: "We're closed right now" }).waitFor();
		await page.getByText(/We're back Monday 9:30\sAM/).waitFor();
		await visitor.send();
		await visitor.reach('lead_sent');
		expect(api.seen('lead').map(({ body }) => body?.consent_text_id)).toEqual(['en-lead-1']);
		expect(api.seen('call')).toEqual([]);
	});

	const DAY_MS = 24 * 3_600_000;
	/** A shop that opens on a Friday at 14:43 in New York. */
	const OPENS = { open: false, next_open_at: '2026-12-18T19:43:00.000Z', time_zone: 'America/New_York' };
	it.each([
		['the weekday', 'America/New_York', 5.9, /back Friday 2:43\sPM\./],
		['the date from six days on', 'America/New_York', 6, /back Friday,? December 18(,| at) 2:43\sPM\./],
		['no zone if the visitor’s clock is the same', 'America/Toronto', 1, /back Friday 2:43\sPM\./],
		['the zone for a visitor in another zone', 'Europe/Berlin', 1, /back Friday(,| at)? 8:43\sPM GMT\+1\./],
		['date and zone', 'Asia/Tokyo', 20, /back Saturday,? December 19(,| at) 4:43\sAM GMT\+9\./],
	])('is requested in a form that says when the team is back with %s', async (_, timezoneId, days, sentence) => {
		const { api, page, ...visitor } = await stage.visit({ context: { timezoneId } });
		// The clock of the page shows another day than the service's clock.
		api.script.config = { ...api.script.config, ...OPENS, opens_in_ms: Math.round(days * DAY_MS) };
		await visitor.open();
		await page.getByText(sentence).waitFor();
	});

	it('is requested in a form that names the visitor’s own time zone if the browser does not know the shop’s', async () => {
		const { api, page, ...visitor } = await stage.visit({ context: { timezoneId: 'America/New_York' } });
		api.script.config = { ...api.script.config, ...OPENS, opens_in_ms: DAY_MS, time_zone: 'Atlantis/Port' };
		await visitor.open();
		await page.getByText(/back Friday(,| at)? 2:43\sPM EST\./).waitFor();
		expect(visitor.troubles).toEqual([]);
	});

	it('is requested in a form that says when the team is back even if the service sends neither a time zone nor the look of the widget', async () => {
		const { api, page, ...visitor } = await stage.visit({ context: { timezoneId: 'Asia/Tokyo' } });
		const next_open_at = new Date(Date.now() + DAY_MS).toISOString();
		api.script.config = { ...api.script.config, open: false, next_open_at };
		await page.route('**/widget/config?*', async (route) => {
			const response = await route.fetch();
			const { look, opens_in_ms, time_zone, ...older } = WidgetConfigResponse.parse(await response.json()).data;
			await route.fulfill({ response, json: { data: older } });
		});
		await visitor.open();
		await page.getByText(/back \w+day \d+:\d+\s[AP]M\./).waitFor();
		await visitor.consent.check();
		await visitor.fill();
		await visitor.submit.click();
		await visitor.reach('lead_sent');
	});

	it('is offered if the team closes while the form is open', async () => {
		const { api, page, ...visitor } = await stage.visit({ context: { timezoneId: 'UTC' } });
		api.hitch('call', { code: 'outside_business_hours', extra: { next_open_at: '2026-11-23T08:00:00.000Z' } });
		await visitor.open();
		await visitor.send();
		await visitor.reach('closed');
		await page.getByText(/We're back Monday(,| at)? 8:00\sAM UTC\./).waitFor();
		expect(await visitor.consent.isChecked()).toBe(false);
		await visitor.consent.check();
		await visitor.submit.click();
		await visitor.reach('lead_sent');
		expect(api.seen('lead').map(({ body }) => body)).toEqual([asLead(api.seen('call')[0]?.body)]);
	});
});
