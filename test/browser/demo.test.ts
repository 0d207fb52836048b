import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findings } from '../support/browser/axe.ts';
import { PATIENT } from '../support/browser/patient.ts';
import { startSite } from '../support/browser/site.ts';
import { ownersBrowser, stackAndBrowser } from '../support/browser/stack-and-browser.ts';
import { call, eventually } from '../support/stack/api.ts';

const { stack, browser } = stackAndBrowser();

async function open(url: string, clock = false): Promise<Page> {
	const context = await ownersBrowser(browser, stack);
	const page = await context.newPage();
	if (clock) await page.clock.install();
	await page.goto(url);
	return page;
}

/**
 * Advances a page's clock faster than real time until the page shows a text. It runs at most five times as fast: the widget gives
 * up a request after 15 seconds of this clock, but the real service responds in real time.
 */
async function fly(page: Page, text: string): Promise<void> {
	await eventually(`the page says ${text}`, async () => {
		if ((await page.getByText(text).count()) > 0) return true;
		await page.clock.runFor(250);
		return null;
	});
}

/** Requests a call as a visitor of the demo shop. */
async function ask(page: Page, number: string): Promise<void> {
	await page.getByRole('button', { name: 'Call me back' }).click();
	await page.getByRole('textbox', { name: 'Phone number' }).fill(number);
	await page.getByRole('checkbox', { name: 'I agree' }).check();
	await page.getByRole('button', { name: 'Call me now' }).click();
}
const says = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

describe('in the demo shop, with the real service', () => {
	it('a visitor gets a call, and sees it from the request to its end', async () => {
		const page = await open(stack.demo_url, true);
		await page.evaluate(
			`states = []; document.addEventListener('callback:state', ({ detail }) => states.push(detail.state))`,
		);
		await ask(page, '(202) 555-0101');
		await fly(page, 'Call ended. Thank you!');
		expect(await page.evaluate('[...new Set(states)]')).toEqual(
			expect.arrayContaining(['sending', 'requested', 'completed']),
		);
		const behind = page.getByRole('complementary', { name: 'Behind the scenes' });
		for (const event of ['call.requested', 'call.ringing', 'call.connected', 'call.completed']) {
			await fly(page, event);
			await behind.getByRole('listitem').filter({ hasText: event }).filter({ hasText: 'verified' }).waitFor();
		}
		// One member may accept the call before the other's phone has rung.
		for (const person of [/Team [12]/, 'Visitor']) {
			await behind.getByRole('listitem').filter({ hasText: person }).getByText('ringing at').first().waitFor();
		}
	});

	it('a visitor who is busy is offered a call back, and the team finds it in its list', async () => {
		const page = await open(stack.demo_url);
		const logged: string[] = [];
		page.on('console', (message) => logged.push(`${message.type()}: ${message.text()}`));
		await ask(page, '+1 202 555 0102');
		await says(page, 'Your phone was busy or declined the call');
		await page.getByRole('button', { name: 'Request a callback' }).click();
		await page.getByRole('checkbox', { name: 'when someone is available' }).check();
		await page.getByRole('button', { name: 'Request a callback' }).click();
		await says(page, "Thanks! We'll call you back.");
		expect(await page.getByRole('button', { name: 'Request another call' }).count()).toBe(0);
		const behind = page.getByRole('complementary', { name: 'Behind the scenes' });
		await behind.getByText('A callback lead arrived.').waitFor();
		expect(await behind.getByRole('link', { name: "open the team's mail" }).getAttribute('href')).toBe('/#mailbox');
		expect(logged.filter((line) => line.startsWith('error'))).toEqual([]);
		const desk = await open(stack.console_url);
		await desk.getByRole('button', { name: 'Open the desk' }).click();
		await desk.getByText('+1 ••• ••• ••02').first().waitFor();
	});

	it('the panel says when the stack has stopped, and continues when it is back', async () => {
		const page = await open(stack.demo_url);
		await page.route('**/recent/**', (route) => route.abort());
		const behind = page.getByRole('complementary', { name: 'Behind the scenes' });
		await behind.getByText('The stack does not answer.').waitFor();
		await page.unroute('**/recent/**');
		await ask(page, '+1 202 555 0106');
		await behind.getByText('failed: number unreachable').waitFor();
	});

	it('a click on a number types it for the visitor', async () => {
		const page = await open(stack.demo_url);
		await page.getByRole('button', { name: 'Call me back' }).waitFor();
		await page.getByRole('button', { name: '+1 202 555 0102' }).click();
		await eventually('the number is typed', async () => {
			const typed = page.getByRole('textbox', { name: 'Phone number' });
			return (await typed.inputValue()) === '+1 202 555 0102' ? true : null;
		});
		expect(await page.evaluate('document.activeElement.localName')).toBe('call-back-widget');
	});

	it('the widget uses the chosen language, and does not cover the panel', async () => {
		const page = await open(stack.demo_url);
		await page.getByRole('link', { name: 'العربية' }).click();
		const widget = await page.getByRole('button', { name: 'اتصلوا بي' }).boundingBox();
		const panel = await page.getByRole('complementary').boundingBox();
		expect(widget && panel && widget.x + widget.width < panel.x).toBe(true);
	});

	it('a visitor with an expensive number reads that this number is not called', async () => {
		const page = await open(stack.demo_url);
		await ask(page, '+1 900 555 0101');
		await page.getByRole('alert').filter({ hasText: "We can't call this number." }).waitFor();
	});

	it('the shop has two departments: Sales calls the visitor who chooses it, and Service says when it opens', async () => {
		const page = await open(stack.demo_url);
		await page.addInitScript(PATIENT);
		await page.getByLabel('Its teams').selectOption('Sales and Service');
		await page.waitForURL('**/demo?teams=departments');
		await page.getByRole('button', { name: 'Call me back' }).click();
		const choices = page.locator('[part=choice]');
		await choices.nth(1).waitFor();
		const [sales = '', service = ''] = await choices.allInnerTexts();
		expect(sales.split('\n')).toEqual(['Sales', 'Call me now']);
		expect(service.split('\n').slice(0, 2)).toEqual(['Service', 'Request a callback']);
		expect(service).toMatch(/We're back \w+day, /);
		expect(await findings(page)).toEqual([]);
		await choices.first().click();
		await page.getByRole('textbox', { name: 'Phone number' }).fill('+1 202 555 0101');
		await page.getByRole('checkbox', { name: 'I agree' }).check();
		await page.getByRole('button', { name: 'Call me now' }).click();
		await says(page, 'Call ended. Thank you!');
		const behind = page.getByRole('complementary', { name: 'Behind the scenes' });
		await behind.getByRole('listitem').filter({ hasText: 'call.completed' }).filter({ hasText: 'verified' }).waitFor();
		const desk = await open(stack.console_url);
		await desk.getByRole('button', { name: 'Open the desk' }).click();
		await desk.getByRole('button', { name: /Service.* · To call back: 0/ }).click();
		await desk.locator('.shop').getByText('Service').waitFor();
		expect(await findings(desk)).toEqual([]);
		await desk.locator('.me > summary').click();
		await desk.getByRole('link', { name: 'Your desks' }).click();
		await desk.getByRole('button', { name: /Demo shop.* · To call back: \d/ }).waitFor();
		expect(await findings(desk)).toEqual([]);
	});

	it('a call of a department can be hung up from the console, like a call of the shop', async () => {
		const page = await open('about:blank');
		// An init script runs only in pages that are loaded after it was added. So the page is still empty here.
		await page.addInitScript(PATIENT);
		await page.goto(`${stack.demo_url}?teams=departments`);
		await page.getByRole('button', { name: 'Call me back' }).click();
		await page.locator('[part=choice]').first().click();
		await page.getByRole('textbox', { name: 'Phone number' }).fill('+1 202 555 0110');
		await page.getByRole('checkbox', { name: 'I agree' }).check();
		await page.getByRole('button', { name: 'Call me now' }).click();
		await says(page, "You're connected");
		const watching = await open(stack.console_url);
		const card = watching
			.locator('article.call')
			.filter({ has: watching.locator('.chip.connected') })
			.first();
		await card.getByRole('button', { name: 'Hang up' }).click();
		await says(page, 'Call ended. Thank you!');
	});

	it('a page of another origin gets no call and says so', async () => {
		const site = await startSite();
		try {
			site.pages.set('/', {
				html: `<script src="${stack.console_url}/widget/widget.js" data-workspace-key="${stack.workspace_key}"
					data-base-url="${stack.base_url}" async></script>`,
			});
			const page = await open(site.origin, true);
			await page.getByRole('button', { name: 'Call me back' }).click();
			await fly(page, "You can't request a call from this page yet.");
		} finally {
			await site.close();
		}
	});

	it('a German visitor follows the steps that the start prints, and is called: choose the country, click a number, tick, ask', async () => {
		const context = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
		const page = await (await ownersBrowser(browser, stack, context)).newPage();
		await page.goto(stack.demo_url);
		await page.getByLabel("The shop's country").selectOption('Germany');
		await page.getByRole('heading', { name: 'Werkzeug, um das sich Ihre Enkel streiten werden' }).waitFor();
		expect(await page.locator('.shop').getByText('84 €').count()).toBe(1);
		expect(await page.locator('.shop [data-text]').allTextContents()).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/\b(the|your|and)\b/i)]),
		);
		await page.getByRole('button', { name: '+49 30 23125101 answers' }).click();
		await page.getByText(/Wir rufen .\+49\s30\s23125101/).waitFor();
		await page.getByRole('checkbox').check();
		await page.getByRole('button', { name: 'Jetzt anrufen lassen' }).click();
		const visitor = page.getByRole('complementary').getByRole('listitem').filter({ hasText: 'Visitor' });
		await visitor.getByText('talking at').waitFor();
		// The visitor hangs up. The page notices this without a click, because it polls every second while people talk.
		await page.getByRole('status').filter({ hasText: 'Gespräch beendet.' }).waitFor();
		expect(await findings(page)).toEqual([]);
		expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
		const headers = { authorization: `Bearer ${stack.api_key}` };
		const { json } = await call(stack.base_url, '/calls?limit=1', { headers });
		expect(json.data[0]).toMatchObject({ status: 'completed', visitor_phone_masked: expect.stringMatching(/^[+]49/) });
		await page.getByLabel("The shop's country").selectOption('United States');
		await page.getByRole('button', { name: '+1 202 555 0101 answers' }).waitFor();
	});
});
