import { describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Stack } from '../../local/stack.ts';
import { call, eventually, fromConsole, visitorBody } from '../support/stack/api.ts';
import { findings } from './support/axe.ts';
import { stackAndBrowser } from './support/stack-and-browser.ts';

let stack: Stack;
let browser: Browser;
stackAndBrowser((...running) => {
	[stack, browser] = running;
});

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

async function open(view: string, context: BrowserContextOptions = {}): Promise<Page> {
	const page = await (await browser.newContext({ reducedMotion: 'reduce', ...context })).newPage();
	await page.goto(`${stack.console_url}/#key=${stack.console_key}`);
	await page.goto(`${stack.console_url}/#${view}`);
	await page.locator('#link.up').waitFor({ state: 'attached' });
	return page;
}

async function requestCall(phone: string, name: string): Promise<void> {
	const headers = { origin: stack.allowed_origin };
	const answer = await call(stack.base_url, '/widget/call-requests', {
		headers,
		body: visitorBody(stack, { phone, name }),
	});
	expect(answer.status).toBe(202);
}

const inboxCard = (page: Page) => page.locator('article.endpoint').filter({ hasText: stack.inbox_url });
const fits = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth');

describe('on a phone', () => {
	const [context, phone, name] = [PHONE, '+14155550106', 'Toni Morrison'];

	it('a call shows the visitor’s name, and is found by it and by its state', async () => {
		await requestCall(phone, name);
		const page = await open('calls', context);
		const card = page.locator('article.call').filter({ hasText: name });
		await card.getByText('failed: number unreachable').waitFor();
		await page.getByRole('searchbox', { name: 'Search calls' }).fill('nobody has this name');
		await page.getByText('No call matches.').waitFor();
		await page.getByRole('searchbox', { name: 'Search calls' }).fill(name.toLowerCase());
		await card.waitFor();
		await page.getByRole('combobox', { name: 'Show calls of one kind' }).selectOption('completed');
		await page.getByText('No call matches.').waitFor();
		await page.goto(`${stack.console_url}/#webhooks`);
		await page.getByRole('searchbox', { name: 'Search webhooks' }).fill(name);
		await page.locator('details.webhook').filter({ hasText: name }).filter({ hasText: 'call.failed' }).waitFor();
	});

	it('an endpoint shows its health, and each delivery its request and response', async () => {
		const page = await open('endpoints', context);
		const card = inboxCard(page);
		await card.getByText('breaker closed').waitFor();
		await card.getByText('Healthy.').waitFor();
		const failed = card.locator('.delivery').filter({ hasText: 'call.failed' }).filter({ hasText: 'succeeded' });
		// The oldest: others may still arrive before it.
		const delivery = failed.last();
		await delivery.locator('summary').click();
		await delivery.getByText(`POST ${stack.inbox_url}`).waitFor();
		await delivery.getByText('"event": "call.failed"').waitFor();
		await delivery
			.getByText(/^200\n/)
			.first()
			.waitFor();
		expect(await findings(page)).toEqual([]);
		expect(await fits(page)).toBe(true);
		const before = await delivery.getByText(/^Attempt \d+ at/).count();
		await delivery.getByRole('button', { name: 'Resend' }).click();
		await delivery.getByText(`Attempt ${before + 1} at`).waitFor();
	});

	it('the functions’ logs are followed, and narrowed to one function', async () => {
		const page = await open('logs', context);
		await requestCall(phone.replace('0106', '0102'), name);
		const line = page.locator('.log').filter({ hasText: 'request-call' }).filter({ hasText: 'status=202' });
		await line.first().waitFor();
		await page.getByRole('searchbox', { name: 'Search log lines' }).fill('dial-leg');
		await page.locator('.log').filter({ hasText: 'dial-leg' }).first().waitFor();
		expect(await line.count()).toBe(0);
		expect(await page.locator('.log').filter({ hasText: phone }).count()).toBe(0);
		expect(await findings(page)).toEqual([]);
		expect(await fits(page)).toBe(true);
	});
});

describe('an endpoint', () => {
	it('gets another secret, shown once, with which the inbox verifies the next webhook', async () => {
		const page = await open('endpoints');
		const card = inboxCard(page);
		const questions: string[] = [];
		page.on('dialog', (dialog) => {
			questions.push(dialog.message());
			return questions.length === 1 ? dialog.dismiss() : dialog.accept();
		});
		await card.getByRole('button', { name: 'Rotate secret' }).click();
		expect(await card.locator('.secret').count()).toBe(0);
		await card.getByRole('button', { name: 'Rotate secret' }).click();
		const secret = await card.locator('.secret code').textContent();
		expect(secret).toMatch(/^whsec_/);
		await card.getByText('2 signing secrets active.').waitFor();
		await card.getByRole('button', { name: 'Send a test' }).click();
		await eventually('a verified test', async () => {
			const inbox = (await fromConsole(stack, '/inbox/')) as {
				verified: boolean;
				body: string;
			}[];
			return inbox.at(-1)?.verified === true ? true : null;
		});
		await card.locator('.test').getByText(/^200/).waitFor();
		expect(await card.locator('.secret code').textContent()).toBe(secret);
		expect(questions).toHaveLength(2);
	});

	it('is disabled and enabled again', async () => {
		const page = await open('endpoints');
		const card = inboxCard(page);
		page.on('dialog', (dialog) => dialog.accept());
		await card.getByRole('button', { name: 'Disable' }).click();
		await card.getByText('disabled: manual').waitFor();
		await card.getByRole('button', { name: 'Enable' }).click();
		await card.locator('.endpoint-enabled').waitFor();
	});

	it('is subscribed in a form, which says why an address is refused', async () => {
		const page = await open('endpoints');
		const address = page.getByLabel('Subscribe an address of yours to every event');
		await address.fill('https://192.168.0.1/hooks');
		await page.getByRole('button', { name: 'Subscribe' }).click();
		await page.locator('.subscribe').getByRole('alert').waitFor();
		await address.fill('https://receiver.example/hooks');
		await page.getByRole('button', { name: 'Subscribe' }).click();
		await page.locator('.subscribe .secret').waitFor();
		const card = page.locator('article.endpoint').filter({ hasText: 'https://receiver.example/hooks' });
		await card.getByRole('button', { name: 'Send a test' }).click();
		await card.locator('.test').getByText('dns not found').waitFor();
		await card.getByRole('button', { name: 'Failed' }).waitFor();
	});

	it('lets no other site act, and lists no secret', async () => {
		const other = {
			method: 'POST',
			headers: { origin: 'https://evil.example', authorization: `Bearer ${stack.console_key}` },
		};
		expect((await fetch(`${stack.console_url}/subscribe/`, other)).status).toBe(403);
		const endpoints = JSON.stringify(await fromConsole(stack, '/endpoints'));
		expect(endpoints).toContain(stack.inbox_url);
		expect(endpoints).not.toMatch(/"secrets"|sealed|whsec/);
	});
});

describe('the demo shop', () => {
	it('moves to another country in the console, and offers a number there that answers', async () => {
		const page = await open('calls');
		await page.getByRole('link', { name: 'Demo shop', exact: true }).click();
		await page.getByLabel('Region').selectOption('United Kingdom');
		await page.getByRole('button', { name: 'Move the shop' }).click();
		await page.getByText('Saved.').waitFor();
		await page.locator('#shop').getByText('+44 20 7946 0101').waitFor();
		expect(await findings(page)).toEqual([]);
		expect(await fits(page)).toBe(true);
	});

	it('calls a German visitor on a phone in the steps that the start prints: choose the country, click a number, tick, ask', async () => {
		const page = await (await browser.newContext({ reducedMotion: 'reduce', ...PHONE })).newPage();
		await page.goto(`${stack.demo_url}#key=${stack.console_key}`);
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
		await page
			.getByRole('complementary')
			.getByRole('listitem')
			.filter({ hasText: 'Visitor' })
			.getByText('talking at')
			.waitFor();
		// Untouched: the stack tells the page to poll every second while people talk.
		await page.getByRole('status').filter({ hasText: 'Gespräch beendet.' }).waitFor();
		expect(await findings(page)).toEqual([]);
		expect(await fits(page)).toBe(true);
		const { json } = await call(stack.base_url, '/calls?limit=1', {
			headers: { authorization: `Bearer ${stack.api_key}` },
		});
		expect(json.data[0]).toMatchObject({
			status: 'completed',
			visitor_phone_masked: expect.stringMatching(/^[+]49/),
		});
		await page.getByLabel("The shop's country").selectOption('United States');
		await page.getByRole('button', { name: '+1 202 555 0101 answers' }).waitFor();
	});

	it('closes, and its visitor is offered a call back', async () => {
		const page = await open('shop');
		await page.getByLabel('Region').selectOption('United States');
		await page.getByLabel('Hours').selectOption('Closed today and tomorrow');
		await page.getByRole('button', { name: 'Move the shop' }).click();
		await page.getByText('Saved.').waitFor();
		await page.goto(stack.demo_url);
		await page.locator('[part=launcher]').click();
		await page.getByRole('heading', { name: "We're closed right now" }).waitFor();
		await page.goto(`${stack.console_url}/#shop`);
		await page.getByLabel('Hours').selectOption('Always open');
		await page.getByRole('button', { name: 'Move the shop' }).click();
		await page.getByText('Saved.').waitFor();
	});
});
