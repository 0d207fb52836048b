import { describe, expect, it } from '@jest/globals';
import { soon, suiteStage, type Visit, type VisitOptions } from '../support/browser/stage.ts';
import { spreadOf } from '../support/spread-of.ts';

const stage = suiteStage();

/** A visitor whose phone is ringing. */
async function ringing(options: VisitOptions = {}, pollAfterMs = 20): Promise<Visit> {
	const visit = await stage.visit(options);
	Object.assign(visit.api.script, { status: 'ringing', poll_after_ms: pollAfterMs });
	await visit.open();
	await visit.send();
	await visit.reach('ringing');
	return visit;
}

/** A script that does what a browser does when another tab hides the page, or when the page is shown again. */
const setHidden = (hidden: boolean) => `
	Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
	document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`;

describe('polling', () => {
	it('follows the interval of the service, plus or minus a tenth', async () => {
		const { api, pass } = await ringing({ clock: true }, 1500);
		for (const count of [1, 2, 3]) {
			await pass(1500 * 0.89);
			expect(api.seen('status')).toHaveLength(count - 1);
			await pass(1500 * 0.22);
			await soon(() => api.seen('status').length === count);
			await pass(0);
		}
	});

	it('happens at once when the visitor touches the page, unless the latest response is recent', async () => {
		const { api, page, pass } = await ringing({ clock: true }, 240_000);
		await pass(18_000);
		await page.mouse.move(10, 10);
		await pass(1000);
		expect(api.seen('status')).toHaveLength(0);
		await pass(3000);
		await page.mouse.move(20, 20);
		await soon(() => api.seen('status').length === 1);
		// The widget has just got a response, so another movement of the mouse causes no poll.
		await pass(0);
		await page.mouse.move(30, 30);
		await pass(1000);
		expect(api.seen('status')).toHaveLength(1);
	});

	it('waits longer if the service sends Retry-After', async () => {
		const { api, pass } = await ringing({ clock: true }, 1500);
		api.hitch('status', { code: 'rate_limited', retry_after: 20 });
		await pass(1700);
		await soon(() => api.seen('status').length === 1);
		await pass(17_900);
		expect(api.seen('status')).toHaveLength(1);
		await pass(4200);
		await soon(() => api.seen('status').length === 2);
	});

	it('tells the visitor when responses are missing, and continues once they arrive again', async () => {
		const { api, context, page, status, ...visitor } = await ringing();
		await context.setOffline(true);
		await status.filter({ hasText: 'No connection' }).waitFor();
		api.script.status = 'connected';
		const polls = api.seen('status').length;
		await context.setOffline(false);
		await visitor.reach('connected');
		expect(await status.textContent()).toBe("You're connected");
		expect(api.seen('status').length).toBeGreaterThan(polls);
		expect(await page.evaluate('states')).toEqual(['sending', 'ringing', 'connected']);
	});

	it('pauses while the page is hidden, and continues at once when it is shown', async () => {
		const { api, page, pass, ...visitor } = await ringing({ clock: true }, 1500);
		await page.evaluate(setHidden(true));
		await pass(60_000);
		expect(api.seen('status')).toHaveLength(0);
		api.script.status = 'completed';
		await page.evaluate(setHidden(false));
		await visitor.reach('completed');
		expect(api.seen('status')).toHaveLength(1);
	});

	it('stops when the visitor leaves the page, and continues when they return', async () => {
		const { api, page } = await ringing();
		await soon(() => api.seen('status').length > 2);
		stage.site.pages.set('/elsewhere', { html: '<title>Elsewhere</title>' });
		await page.goto(`${stage.site.origin}/elsewhere`);
		const polls = api.seen('status').length;
		await new Promise((go) => setTimeout(go, 150));
		expect(api.seen('status')).toHaveLength(polls);
		// Playwright cannot observe a page that comes out of the back/forward cache. The service can: the page polls again.
		void page.evaluate('history.back()').catch(() => {});
		await soon(() => api.seen('status').length > polls + 2);
		expect(api.seen('call')).toHaveLength(1);
	});

	it('aborts an open request when the visitor leaves, and continues when they return', async () => {
		const { api, page } = await ringing();
		api.hitch('status', 'hold');
		await soon(() => api.holding() === 1);
		const aborted = page.waitForEvent('requestfailed');
		await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
		expect((await aborted).failure()?.errorText).toBe('net::ERR_ABORTED');
		const polls = api.seen('status').length;
		await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
		await soon(() => api.seen('status').length > polls);
	});

	describe('on a page that is shown again', () => {
		/**
		 * Scripts that do what a browser does when it shows a page that it kept in memory, or rendered in advance.
		 */
		const SHOWN = {
			'out of the back/forward cache': `dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`,
			'after a prerender': `document.dispatchEvent(new Event('prerenderingchange'))`,
		};
		const cases = Object.entries(SHOWN);
		const ENTRY = 'call-back-widget wk';

		it.each(cases)('stops if another page has seen the end of the call: %s', async (_, shown) => {
			const { api, page, pass, ...visitor } = await ringing({ clock: true }, 1500);
			api.script.status = 'completed';
			await page.evaluate(`sessionStorage.removeItem('${ENTRY}'); ${shown}`);
			await pass(10);
			await visitor.phone.waitFor();
			await pass(60_000);
			expect(await visitor.states()).toEqual(['sending', 'ringing', 'idle']);
		});

		it.each(spreadOf(cases, 2))('keeps the call if the page has cleared its storage: %s', async (_, shown) => {
			const { api, page, pass, ...visitor } = await ringing({ clock: true }, 1500);
			await page.evaluate(`sessionStorage.clear(); ${shown}`);
			await pass(10);
			await soon(async () => (await page.evaluate(`sessionStorage.getItem('${ENTRY}')`)) !== null);
			api.script.status = 'completed';
			await pass(3000);
			await visitor.reach('completed');
			expect(await visitor.states()).toEqual(['sending', 'ringing', 'completed']);
		});

		it.each(spreadOf(cases, 2))('shows the call that another page has requested: %s', async (_, shown) => {
			const { api, page, status } = await stage.visit();
			api.script.status = 'ringing';
			const memo = `{ id: '01K9ZZZZZZZZZZZZZZZZZZZZZZ', secret: '', region: 'US', open: true }`;
			await page.evaluate(`sessionStorage.setItem('${ENTRY}', JSON.stringify(${memo})); ${shown}`);
			await status.waitFor();
			await soon(() => api.seen('status').length > 2);
		});

		it.each(spreadOf(cases, 2))('keeps the call if the browser stores nothing: %s', async (_, shown) => {
			const blocked = `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }`;
			const visit = await stage.visit();
			await visit.page.evaluate(blocked);
			Object.assign(visit.api.script, { status: 'ringing' });
			await visit.open();
			await visit.send();
			await visit.reach('ringing');
			await visit.page.evaluate(shown);
			visit.api.script.status = 'completed';
			await visit.reach('completed');
			expect(await visit.states()).toEqual(['sending', 'ringing', 'completed']);
		});
	});

	it('stops when the widget is removed from the page, and continues when it is added again', async () => {
		const { api, page, pass, ...visitor } = await ringing({ clock: true }, 1500);
		await page.evaluate(`globalThis.widget = document.querySelector('call-back-widget'); widget.remove()`);
		await pass(60_000);
		expect(api.seen('status')).toHaveLength(0);
		api.script.status = 'connected';
		await page.evaluate('document.body.append(widget)');
		await visitor.reach('connected');
	});

	it('stops if the service no longer knows the call', async () => {
		const { api, pass, ...visitor } = await ringing({ clock: true }, 1500);
		api.hitch('status', { code: 'not_found' });
		await pass(1700);
		await visitor.reach('error');
		await pass(60_000);
		expect(api.seen('status')).toHaveLength(1);
		await visitor.again.click();
		await pass();
		await visitor.phone.waitFor();
	});

	it('continues while the panel is closed, and the launcher shows the call’s status', async () => {
		const { api, page, launcher, ...visitor } = await ringing();
		await page.keyboard.press('Escape');
		expect(await launcher.textContent()).toBe('Ringing');
		api.script.status = 'connected';
		await visitor.reach('connected');
		expect(await launcher.textContent()).toBe('Talking');
		await launcher.click();
		await page.getByRole('heading', { name: 'Your call' }).waitFor();
		expect(await visitor.status.textContent()).toBe("You're connected");
		await page.keyboard.press('Escape');
		api.script.status = 'failed';
		await visitor.reach('failed');
		expect(await launcher.textContent()).toBe("We couldn't connect you");
		await launcher.click();
		expect(await visitor.status.textContent()).toBe("We couldn't connect you");
		await page.keyboard.press('Escape');
		expect(await launcher.textContent()).toBe('Call me back');
	});
});

describe('with the keyboard alone', () => {
	it('a visitor gets from the page to the call and back', async () => {
		const { api, page, panel, focused, ...visitor } = await stage.visit();
		await page.keyboard.press('Tab');
		expect(await focused()).toBe('launcher');
		await page.keyboard.press('Enter');
		await visitor.phone.waitFor();
		expect(await focused()).toBe('tel');
		await page.keyboard.type('2025550101');
		await page.keyboard.press('Tab');
		await page.keyboard.type('Ada');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Space');
		await page.keyboard.press('Enter');
		await visitor.reach('requested');
		expect(await focused()).toBe('panel');
		expect(api.seen('call')[0]?.body).toMatchObject({ phone: '+12025550101', name: 'Ada' });
		await page.keyboard.press('Escape');
		expect(await panel.isVisible()).toBe(false);
		expect(await focused()).toBe('launcher');
	});

	it('the visitor moves through the panel in reading order, and to the offer after a failed call', async () => {
		const { api, page, focused, ...visitor } = await stage.visit();
		await visitor.open();
		const order: string[] = [];
		for (const _ of Array(3)) {
			await page.keyboard.press('Tab');
			order.push(await focused());
		}
		expect(order).toEqual(['name', 'input', 'submit']);
		await visitor.send();
		api.script.status = 'failed';
		await visitor.reach('failed');
		expect(await focused()).toBe('panel');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Tab');
		expect(await focused()).toBe('lead');
		await page.keyboard.press('Enter');
		// The consent to the call does not include a callback, so the visitor has to tick the box again.
		await soon(async () => (await focused()) === 'input');
		await page.keyboard.press('Space');
		await page.keyboard.press('Enter');
		await visitor.reach('lead_sent');
		expect(await focused()).toBe('panel');
	});
});

describe('the widget on its page', () => {
	it('opens from any marked element of the page, and returns the focus to it', async () => {
		const { page, panel, focused, ...visitor } = await stage.visit({
			body: '<a id="talk" href="#top" data-callback-open><b>Talk to us</b></a>',
		});
		await page.getByText('Talk to us').click();
		await visitor.phone.waitFor();
		expect(await focused()).toBe('tel');
		expect(page.url()).not.toContain('#top');
		await page.locator('[part=close]').click();
		expect(await panel.isVisible()).toBe(false);
		expect(await focused()).toBe('talk');
	});

	describe('while its script is loading', () => {
		const body =
			'<button id="cookies">Accept</button><p id="box" data-callback-open>Box</p><a id="talk" href="#top" data-callback-open><b>Talk to us</b></a>';
		/** A visitor of a page whose script loads only when `arrive` is called. */
		const early = async () => {
			const { promise, resolve: arrive } = Promise.withResolvers<void>();
			const visit = await stage.visit({ body });
			await visit.page.route('**/widget.js', async (route) => {
				await promise;
				await route.continue();
			});
			await visit.page.goto(visit.url, { waitUntil: 'commit' });
			return { ...visit, arrive };
		};

		it.each([
			['the first click of the page', ['#box']],
			['a later click', ['#cookies', '#talk']],
		])('%s on a marked element opens the widget as soon as it can', async (_, clicks) => {
			const { page, phone, arrive } = await early();
			for (const place of clicks) await page.locator(place).click();
			arrive();
			await phone.waitFor();
		});

		it('a click elsewhere, or moving the focus by key, opens nothing', async () => {
			const { page, panel, launcher, arrive } = await early();
			await page.locator('#cookies').click();
			await page.keyboard.press('Tab');
			arrive();
			await launcher.waitFor();
			await page.evaluate('new Promise((go) => requestAnimationFrame(() => setTimeout(go)))');
			expect(await panel.count()).toBe(0);
		});
	});

	it('shows on the launcher that its panel is loading', async () => {
		const { promise, resolve: arrive } = Promise.withResolvers<void>();
		const { page, launcher, phone, inside } = await stage.visit({ context: { reducedMotion: 'no-preference' } });
		await page.route(/panel.*[.]js/, async (route) => {
			await promise;
			await route.continue();
		});
		await launcher.click();
		const look = '(({ ariaBusy }, { animationName }) => [ariaBusy, animationName])';
		const busy = "root.querySelector('[part=launcher]')";
		expect(await inside(`${look}(${busy}, getComputedStyle(${busy}))`)).toEqual(['true', 'busy']);
		arrive();
		await phone.waitFor();
		expect(await launcher.getAttribute('aria-busy')).toBe(null);
	});

	it('opens and closes by script, even before it has its texts', async () => {
		const { page, panel, ...visitor } = await stage.visit({ element: '' });
		await page.evaluate(`(() => {
			const widget = document.querySelector('call-back-widget').cloneNode();
			widget.lang = 'de';
			document.querySelector('call-back-widget').replaceWith(widget);
			widget.open();
		})()`);
		await page.getByRole('heading', { name: 'Wir rufen Sie sofort an' }).waitFor();
		await visitor.phone.waitFor();
		await page.evaluate(`document.querySelector('call-back-widget').close()`);
		await panel.waitFor({ state: 'hidden' });
	});

	it('does not take the focus from the page when the call changes while the panel is closed', async () => {
		const { api, page, focused, ...visitor } = await stage.visit({ body: '<input id="search">' });
		await visitor.open();
		await visitor.fill();
		await visitor.submit.click();
		await page.locator('#search').focus();
		for (const status of ['ringing', 'failed'] as const) {
			api.script.status = status;
			await visitor.reach(status);
			expect(await focused()).toBe('search');
		}
	});

	it('is inline where the page puts it, without launcher or close button', async () => {
		const { api, page, launcher, ...visitor } = await stage.visit({ element: 'inline' });
		await visitor.phone.waitFor();
		expect(await launcher.isVisible()).toBe(false);
		expect(await page.locator('[part=close]').isVisible()).toBe(false);
		expect(await page.getByRole('dialog').count()).toBe(0);
		await visitor.send();
		await visitor.reach('requested');
		expect(api.seen('call')).toHaveLength(1);
	});

	it('sends no request to the service before a visitor shows interest', async () => {
		const { api, launcher } = await stage.visit();
		await launcher.hover();
		expect(api.seen('config')).toEqual([]);
	});

	it('calls the API on the host of the script by default', async () => {
		const { page, launcher } = await stage.visit({ element: '' });
		await page.evaluate(`(() => {
			const widget = document.querySelector('call-back-widget').cloneNode();
			widget.removeAttribute('base-url');
			document.querySelector('call-back-widget').replaceWith(widget);
		})()`);
		await launcher.click();
		await soon(() => stage.cdn.asked.some((path) => path.startsWith('v1/widget/config?workspace_key=wk')));
	});

	it('stores nothing before the visitor requests a call, then the call for this tab, and nothing after the call has ended', async () => {
		const kept = `JSON.stringify({ ...sessionStorage })`;
		const visit = await stage.visit();
		await visit.open();
		await visit.fill();
		expect(await visit.page.evaluate(kept)).toBe('{}');
		await visit.submit.click();
		await visit.reach('requested');
		expect(await visit.page.evaluate(kept)).toContain('01K9ZZZZZZZZZZZZZZZZZZZZZZ');
		expect(await visit.page.evaluate(kept)).not.toMatch(/555.?0101/);
		visit.api.script.status = 'completed';
		await visit.reach('completed');
		expect(await visit.page.evaluate(kept)).toBe('{}');
		const { cookies, origins } = await visit.context.storageState();
		expect({ cookies, origins }).toEqual({ cookies: [], origins: [] });
	});
});
