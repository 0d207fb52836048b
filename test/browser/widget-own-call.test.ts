import { describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type {} from 'playwright-core';
import { CANCEL_SECRET } from '../support/browser/scripted-api.ts';
import { COUNTS, soon, suiteStage, type VisitOptions } from '../support/browser/stage.ts';

const stage = suiteStage();

/** A visitor who has requested a call, and whose page polls every `pollAfterMs` milliseconds. */
async function asked({ pollAfterMs = 20, ...options }: VisitOptions & { readonly pollAfterMs?: number } = {}) {
	const visit = await stage.visit(options);
	visit.api.script.poll_after_ms = pollAfterMs;
	await visit.open();
	await visit.send();
	await visit.reach('requested');
	const says = (text: string) => visit.status.filter({ hasText: text }).waitFor();
	return { ...visit, says };
}

describe('on the screen of a phone', () => {
	const context = { viewport: { width: 360, height: 740 } };

	it('a reload finds the call again and continues to show it, without a second request', async () => {
		const { api, page, says, ...visitor } = await asked({ context });
		Object.assign(api.script, { status: 'connected', connected_for_ms: 65_000 });
		await visitor.reach('connected');
		await page.reload();
		await says("You're connected");
		expect(await visitor.panel.isVisible()).toBe(true);
		expect(await page.getByRole('timer').textContent()).toMatch(/^1:(0[5-9]|[1-5]\d)$/);
		api.script.status = 'completed';
		await says('Call ended. Thank you!');
		await page.reload();
		await visitor.launcher.waitFor();
		expect(await visitor.panel.count()).toBe(0);
		expect(api.seen('call')).toHaveLength(1);
	});

	it('a visitor cancels the call before it connects, and may start again', async () => {
		const { api, page, says, ...visitor } = await asked({ context });
		const cancel = page.getByRole('button', { name: 'Cancel the call' });
		await page.evaluate(axe.source);
		expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([]);
		await cancel.click();
		await visitor.reach('canceled');
		await says('Call cancelled');
		expect(api.seen('cancel').map(({ cancel_secret }) => cancel_secret)).toEqual([CANCEL_SECRET]);
		expect(await cancel.isVisible()).toBe(false);
		await visitor.again.click();
		await visitor.phone.waitFor();
	});
});

describe('the visitor’s own call', () => {
	it('is found on the next page of the site, and the panel is closed there if it was closed before', async () => {
		const { api, page, says, ...visitor } = await asked();
		api.script.status = 'ringing';
		await visitor.reach('ringing');
		await page.keyboard.press('Escape');
		await page.goto(`${visitor.url}?next`);
		await visitor.launcher.filter({ hasText: 'Ringing' }).waitFor();
		expect(await visitor.panel.isVisible()).toBe(false);
		await visitor.launcher.click();
		await says("We're ringing our team...");
		await page.getByRole('button', { name: 'Cancel the call' }).click();
		await visitor.reach('canceled');
		expect(api.seen('call')).toHaveLength(1);
	});

	it('is replaced by the form if the service no longer knows it', async () => {
		const { api, page, ...visitor } = await asked({ pollAfterMs: 60_000 });
		api.hitch('status', { code: 'not_found' });
		await page.reload();
		await visitor.phone.waitFor();
		expect(await page.evaluate('sessionStorage.length')).toBe(0);
	});

	it('is shown when the visitor cancels too late', async () => {
		const { api, page, says } = await asked({ pollAfterMs: 60_000 });
		api.hitch('cancel', { code: 'call_already_connected' });
		Object.assign(api.script, { status: 'connected', connected_for_ms: 0 });
		await page.getByRole('button', { name: 'Cancel the call' }).click();
		await says("You're connected");
		expect(await page.getByRole('button', { name: 'Cancel the call' }).isVisible()).toBe(false);
	});

	it('works if the browser stores nothing', async () => {
		const visit = await stage.visit();
		await visit.page.evaluate(
			`Object.defineProperty(globalThis, 'sessionStorage', { get() { throw new DOMException('no') } })`,
		);
		await visit.open();
		await visit.send();
		await visit.reach('requested');
		expect(visit.troubles).toEqual([]);
	});
});

describe('the visitor’s view of the call', () => {
	it('says that we call the visitor’s phone, but not that it rings; shows the caller number, and counts the time of the conversation', async () => {
		const { api, says, page, pass, ...visitor } = await asked();
		api.script.status = 'ringing';
		await visitor.reach('ringing');
		await says("We're ringing our team...");
		api.script.visitor_phone_rings = true;
		await says("We're calling your phone now: expect a call from \u2066+1 312 555 0101\u2069");
		api.script.config = { ...api.script.config, caller_number: null };
		Object.assign(api.script, { status: 'connected', connected_for_ms: 0 });
		await visitor.reach('connected');
		await page.getByRole('timer').filter({ hasText: COUNTS }).waitFor();
	});

	it.each([
		['visitor_busy', 'Your phone was busy or declined the call.'],
		['provider_error', "We couldn't connect you"],
	] as const)('says after %s: "%s"', async (failure_reason, text) => {
		const { api, says, lead } = await asked();
		Object.assign(api.script, { status: 'failed', failure_reason });
		await says(text);
		expect(await lead.isVisible()).toBe(true);
	});

	it('never says that a phone rings while it sends a callback request', async () => {
		const { api, page, ...visitor } = await asked();
		api.script.status = 'ringing';
		await visitor.reach('ringing');
		Object.assign(api.script, { status: 'failed', failure_reason: 'visitor_no_answer' });
		await visitor.reach('failed');
		api.hitch('lead', 'hold');
		await visitor.sendLead();
		await visitor.reach('sending');
		expect(await page.locator('[part=steps]').isVisible()).toBe(false);
		await page.keyboard.press('Escape');
		expect(await visitor.launcher.textContent()).toBe('Call me back');
		api.release();
		await visitor.reach('lead_sent');
	});
});

describe('a visitor who talks and does not touch the page', () => {
	it('sees the end at the next poll, with the time that they really talked', async () => {
		const { api, page, pass, passUntil, ...visitor } = await stage.visit({ clock: true });
		await visitor.open();
		await visitor.send();
		await visitor.reach('requested');
		Object.assign(api.script, { status: 'connected', connected_for_ms: 0, poll_after_ms: 60_000 });
		await pass(1000);
		await visitor.reach('connected');
		const polled = api.seen('status').length;
		Object.assign(api.script, { status: 'completed', duration_seconds: 6 });
		await passUntil(() => api.seen('status').length > polled);
		await visitor.reach('completed');
		expect(await page.locator('[part=timer]').textContent()).toBe('0:06');
	});

	it('sees how long they talked, even if the page missed the whole conversation', async () => {
		const { api, page, pass, ...visitor } = await stage.visit({ clock: true });
		await visitor.open();
		await visitor.send();
		await visitor.reach('requested');
		Object.assign(api.script, { status: 'completed', duration_seconds: 64 });
		await pass(1000);
		await visitor.reach('completed');
		expect(await page.locator('[part=timer]').textContent()).toBe('1:04');
	});
});

const IMPOSSIBLE = [
	[
		'switched_off',
		"We've paused our calls. Shall we call you back later?",
		/workspace set --workspace <workspace id> --calls on$/,
	],
	[
		'no_team',
		'Nobody can take your call here yet. Shall we call you back later?',
		/workspace set .* --team "Ida Wells:/,
	],
	[
		'daily_limit',
		"We've had all our calls for today. Shall we call you back later?",
		/workspace set .* --calls-per-day /,
	],
	['no_provider', "We can't take calls right now. Shall we call you back later?", /with the property telephony$/],
] as const;

describe('the widget, when no call is possible,', () => {
	const visitWith = async () => {
		const visit = await stage.visit();
		const said: string[] = [];
		visit.page.on('console', (message) => said.push(message.text()));
		const isSaid = (line: RegExp) =>
			soon(() => said.some((text) => text.startsWith('call-back-widget: ') && line.test(text)));
		return { ...visit, isSaid };
	};

	it('tells a visitor who requests a call why, and accepts a callback request instead', async () => {
		const { api, isSaid, ...visitor } = await visitWith();
		api.hitch('call', { code: 'calls_unavailable', extra: { reason: 'daily_limit' } });
		await visitor.open();
		await visitor.send();
		await visitor.page.getByRole('alert').filter({ hasText: "We've had all our calls for today." }).waitFor();
		await isSaid(/workspace set .* --calls-per-day /);
		await visitor.sendLead();
		await visitor.reach('lead_sent');
	});

	it.each(IMPOSSIBLE)(
		'tells a visitor who opens the panel later why, before anything is typed: %s',
		async (reason, sentence, line) => {
			const { api, isSaid, ...visitor } = await visitWith();
			api.script.config = { ...api.script.config, unavailable: reason };
			await visitor.open();
			await visitor.panel.getByText(sentence).waitFor();
			await isSaid(line);
			expect(await visitor.submit.textContent()).toBe('Request a callback');
			await visitor.send();
			await visitor.reach('lead_sent');
			expect(api.seen('call')).toEqual([]);
		},
	);
});

describe('setup errors:', () => {
	it.each([
		['origin_not_allowed', /ops -- workspace set --workspace <workspace id> --origin http:\/\/localhost:\d+ /],
		['invalid_workspace_key', /no workspace has the key "wk".*ops -- workspace show/],
		['request_header', /a script of this page adds a header to fetch/],
	] as const)(
		'%s is reported to the developer with the line that fixes it, and politely to the visitor',
		async (code, line) => {
			const { api, page, pass, status, ...visitor } = await stage.visit({ clock: true });
			const said: string[] = [];
			page.on('console', (message) => said.push(message.text()));
			if (code === 'origin_not_allowed') api.script.origins = ['https://acme.example'];
			else if (code === 'invalid_workspace_key') api.hitch('config', { code });
			else {
				await page.evaluate(`(() => {
					const plain = window.fetch;
					window.fetch = (url, init) => plain(url, { ...init, headers: { ...init.headers, 'x-${'y'.repeat(64)}': '1' } });
				})()`);
			}
			await visitor.launcher.click();
			await visitor.passUntil(() => said.some((text) => line.test(text)));
			await visitor.reach('error');
			await status.filter({ hasText: "You can't request a call from this page yet." }).waitFor();
			await soon(() => said.some((text) => text.startsWith('call-back-widget: ')));
			// The browser writes this line itself.
			if (code === 'request_header') expect(said.join()).toContain('Request header field x-yyyy');
		},
	);
});

describe('an embed', () => {
	it.each([
		['', '/v1', /data-workspace-key is empty/],
		['wk', '/', /data-base-url does not end in \/v1/],
	])(
		'that cannot work is named in the console, and sends no request: key "%s", API at %s',
		async (key, path, named) => {
			const { api, page, inside } = await stage.visit();
			const said: string[] = [];
			page.on('console', (message) => said.push(message.text()));
			await page.evaluate(`(() => {
			const widget = document.querySelector('call-back-widget');
			widget.remove();
			const other = document.createElement('call-back-widget');
			other.setAttribute('workspace-key', '${key}');
			other.setAttribute('base-url', '${api.origin}${path}');
			document.body.append(other);
			other.open();
		})()`);
			await soon(() => said.length === 1);
			expect(said[0]).toMatch(named);
			expect(await inside("root.querySelector('[role=status]').textContent")).toMatch(
				/can't request a call from this page/,
			);
			expect(api.seen('config')).toEqual([]);
		},
	);

	it.each([
		['a slash', 'wk', '/v1/', ''],
		['spaces and a line end', ' wk\\n', '/v1 \\n', ' '],
		['quotation marks', '“wk”', '/v1"', '"'],
		['invisible characters', '\u200bwk\u200b', '/v1/\ufeff', '\ufeff'],
	])('works with %s around the key and the address of the API', async (_, key, path, before) => {
		const visit = await stage.visit({ element: 'inline' });
		await visit.page.evaluate(`(() => {
			const widget = document.querySelector('call-back-widget');
			const other = widget.cloneNode();
			other.setAttribute('workspace-key', '${key}');
			other.setAttribute('base-url', '${before}${visit.api.origin}${path}');
			widget.replaceWith(other);
		})()`);
		await visit.send();
		await visit.reach('requested');
		expect(visit.api.seen('call').map(({ key, body }) => [key !== undefined, body?.workspace_key])).toEqual([
			[true, 'wk'],
		]);
	});
});
