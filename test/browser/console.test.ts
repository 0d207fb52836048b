import { describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { CallStory, Shown } from '../../local/console/page/wire.ts';
import { callTrace } from '../../shared/domain/trace/trace.ts';
import { treeLines } from '../../shared/presentation/trace-tree.ts';
import { readCallTrace } from '../../shared/use-cases/trace/read-trace.ts';
import { findings } from '../support/browser/axe.ts';
import { goBack } from '../support/browser/chromium.ts';
import { ownersBrowser, stackAndBrowser } from '../support/browser/stack-and-browser.ts';
import { samples } from '../support/sample-records.ts';
import { spreadOf } from '../support/spread-of.ts';
import { call, eventually, mailbox, visitorBody } from '../support/stack/api.ts';
import { operatorOf } from '../support/webhooks/customers.ts';

const { stack, browser } = stackAndBrowser();

/**
 * Opens a page of the console. `state`: returns what the page gets instead of the stack's state. While it returns null, the
 * page gets no response.
 */
async function open(
	path = '',
	context: BrowserContextOptions = {},
	state: (() => Partial<Shown> | null) | null = null,
): Promise<Page> {
	const page = await (await ownersBrowser(browser, stack, context)).newPage();
	if (state !== null) {
		await page.route('**/recent/**', async (route) => {
			const now = state();
			const shown = { calls: [], webhooks: [], mails: [], ...now };
			await (now === null ? route.abort() : route.fulfill({ json: { stack, token: 't', shown } }));
		});
	}
	await page.goto(`${stack.console_url}/${path}`);
	await page.locator('#link.up').waitFor({ state: 'attached' });
	return page;
}
const dial = (page: Page, number: string) => page.getByRole('button', { name: number }).click();
const cardOf = (page: Page, end: string) => page.locator('article.call').filter({ hasText: `+1 ••• ••• ••${end}` });

describe('a call in the console', () => {
	it('shows its phones as they ring and, beside them, its webhooks as they arrive', async () => {
		const page = await open();
		await dial(page, '+1 202 555 0110');
		const card = cardOf(page, '10');
		await card.locator('.chip.connected').waitFor();
		const visitor = card.getByRole('listitem').filter({ hasText: 'Visitor' });
		for (const moment of ['dialed', 'ringing', 'answered', 'talking']) {
			await visitor.locator(`.bar.${moment}`).waitFor({ state: 'attached' });
		}
		const events = card.locator('.events').getByRole('listitem');
		await events.filter({ hasText: 'call.connected' }).filter({ hasText: 'verified' }).waitFor();
		expect(await events.filter({ hasText: 'awaited' }).allTextContents()).toEqual([
			expect.stringContaining('call.completed'),
		]);
	});

	it('shows the same trace as the operators’ command, with the same phones and webhooks', async () => {
		const page = await open();
		await dial(page, '+1 202 555 0106');
		const card = cardOf(page, '06').first();
		await card.getByText('failed: number unreachable').waitFor();
		await card.getByText('Trace', { exact: true }).click();
		const tree = card.locator('.tree').filter({ hasText: 'call.failed' });
		await tree.filter({ hasText: 'phone of the visitor: UNREACHABLE' }).waitFor();
		const id = (await card.locator('footer code').textContent()) ?? '';
		const { store, clock } = await operatorOf(stack);
		// Both are read again until the last delivery has ended, because the console may be some moments behind.
		const trace = await eventually('the trace of the call ends', async () => {
			const read = await readCallTrace(id, { store, clock });
			return read?.root.ended_at && !treeLines(read).join().includes('goes on') ? read : null;
		});
		await tree.filter({ hasNotText: 'goes on' }).waitFor();
		const lanes = await card.locator('.lane').allTextContents();
		expect(lanes).toHaveLength(1 + trace.root.children.filter(({ name }) => name.startsWith('phone')).length);
		expect((await card.locator('.tree').textContent())?.split('\n')).toEqual(treeLines(trace));
	});

	it('updates without moving the focus from a button, and pressing that button hangs up', async () => {
		// Playwright waits for a condition by evaluating text in the page, which the console's Content-Security-Policy forbids.
		const page = await open('', { bypassCSP: true });
		await dial(page, '+1 202 555 0110');
		const card = cardOf(page, '10').first();
		await card.locator('.chip.connected').waitFor();
		const hangUp = card.getByRole('button', { name: 'Hang up' });
		await hangUp.focus();
		const before = await card.locator('.chip').textContent();
		await page.waitForFunction(
			`document.querySelector('article.call .chip').textContent !== ${JSON.stringify(before)}`,
		);
		expect(await page.evaluate('document.activeElement.textContent')).toBe('Hang up');
		await page.keyboard.press('Enter');
		await card.locator('.chip.completed').waitFor();
		await card.locator('.events').getByText('call.completed').waitFor();
		await hangUp.waitFor({ state: 'hidden' });
	});

	it('can be requested again only after the call has ended, and the console says so', async () => {
		const page = await open();
		await dial(page, '+1 202 555 0103');
		await cardOf(page, '03').locator('.chip').first().waitFor();
		await dial(page, '+1 202 555 0103');
		await page.getByRole('alert').getByText('A call with +1 202 555 0103 is already live').waitFor();
	});

	it('that fails shows why, expects no more webhooks, and links each webhook to its headers and its body', async () => {
		const page = await open();
		await dial(page, '+1 202 555 0102');
		const card = cardOf(page, '02').first();
		await card.getByText('failed: visitor busy').waitFor();
		const last = card.getByRole('link', { name: 'call.failed' });
		await last.waitFor();
		expect(await card.locator('.event.awaited').count()).toBe(0);
		await last.click();
		const webhook = page.locator('details[open]');
		await webhook.getByText('signature verified').waitFor();
		await webhook.getByText('service-signature', { exact: true }).waitFor();
		await webhook.getByText('"status": "failed"').waitFor();
		await page.reload();
		await page.locator('details[open]').getByText('call.failed').first().waitFor();
		await goBack(page);
		await page.getByRole('heading', { name: 'Calls' }).waitFor();
	});

	it('is requested once by a double click', async () => {
		let asked = 0;
		const page = await open();
		page.on('request', (request) => {
			if (request.method() === 'POST') asked++;
		});
		const button = page.getByRole('button', { name: '+1 202 555 0106' });
		await Promise.all([page.waitForResponse((response) => response.request().method() === 'POST'), button.dblclick()]);
		expect(asked).toBe(1);
	});
});

describe('the console', () => {
	it('shows data only after it was opened at the address that the start printed', async () => {
		const page = await (await browser.newContext()).newPage();
		await page.goto(stack.console_url);
		await page.getByText('Open the address that npm start printed.').waitFor();
		await page.goto(`${stack.console_url}/demo`);
		await page.getByText('Open the address that npm start printed.').waitFor();
		expect(await page.content()).not.toContain(stack.workspace_key);
		await page.goto(`${stack.console_url}/demo#key=${stack.console_key}`);
		await page.reload();
		await page.locator('call-back-widget').waitFor({ state: 'attached' });
		expect(page.url()).toBe(`${stack.console_url}/demo`);
		await page.goto(stack.console_url);
		await page.getByRole('status').getByText('live').waitFor();
	});

	it('keeps up when the stack stops and restarts, without a reload, and then shows what the restarted stack has', async () => {
		let state: Partial<Shown> | null = { calls: [story(0), story(1)] };
		const page = await open('', {}, () => state);
		await page.getByRole('link', { name: 'Calls 2' }).waitFor();
		state = null;
		await page.getByText('The stack does not answer.').waitFor();
		state = { calls: [story(2)] };
		await page.getByRole('link', { name: 'Calls 1' }).waitFor();
		await page.getByRole('status').getByText('live').waitFor();
	});

	it('shows the newest 30 calls, and says that these are the newest', async () => {
		const page = await open('', {}, () => ({ calls: Array.from({ length: 31 }, (_, index) => story(index)) }));
		await page.getByText(story(30).id, { exact: true }).waitFor();
		expect(await page.locator('article.call').count()).toBe(30);
		expect(await page.getByText(story(0).id).count()).toBe(0);
		await page.getByText('These are the newest 30. The desk has all calls').waitFor();
	});

	it('has a heading for the webhooks of a call only if a webhook has arrived or is expected', async () => {
		const { created_at } = story(1).call;
		const about = { event: 'call.failed', status: 'failed', created_at };
		const webhook = { ...about, anchor: 'webhooks/1', received_at: created_at, verified: true };
		const page = await open('', {}, () => ({ calls: [story(0), { ...story(1), webhooks: [webhook] }] }));
		const headingOf = (index: number) =>
			page
				.locator('article.call')
				.filter({ hasText: story(index).id })
				.getByRole('heading', { name: 'Webhooks' });
		await headingOf(1).waitFor();
		expect(await headingOf(0).count()).toBe(0);
	});

	it('says so if a call cannot be requested because the stack does not answer', async () => {
		const page = await open();
		await page.route('**/call-requests', (route) => route.abort());
		await dial(page, '+1 202 555 0101');
		await page.getByRole('alert').getByText('The stack does not answer.').waitFor();
	});

	it('redirects from another host name to the host name that may request calls', async () => {
		const page = await (await browser.newContext()).newPage();
		await page.goto(`${stack.demo_url.replace('localhost', '127.0.0.1')}#key=${stack.console_key}`);
		await page.waitForURL(stack.demo_url);
		await page.getByRole('button', { name: 'Call me back' }).waitFor();
	});
});

describe('the console, asked for the desk,', () => {
	it('opens the desk in one click, by the link in the mail, and needs no other mail for a second click', async () => {
		const owners = async () => (await mailbox(stack)).filter(({ to }) => [to].flat().includes(stack.desk_owner)).length;
		const before = await owners();
		const page = await open();
		await page.getByRole('button', { name: 'Open the desk' }).click();
		await page.waitForURL(stack.desk_url);
		await page.locator('.me > summary').waitFor();
		expect(await owners()).toBe(before + 1);
		await page.goto(`${stack.console_url}/#webhooks`);
		for (const [name, address] of [
			['Endpoints', 'webhooks'],
			['Deliveries', 'deliveries'],
			['API keys', 'keys'],
		] as const) {
			await page.getByRole('button', { name }).click();
			await page.waitForURL(`${stack.base_url}/desk/developers/${address}`);
			await page.locator('.me > summary').waitFor();
			await goBack(page);
		}
		expect(await owners()).toBe(before + 1);
	});

	it('says that no mail came if it gets no link to the desk', async () => {
		const page = await open();
		await page.route('**/desk/', (route) =>
			route.fulfill({ status: 503, json: { title: 'No mail with a link came' } }),
		);
		await page.getByRole('button', { name: 'Open the desk' }).click();
		await page.getByRole('alert').getByText('No mail with a link came').waitFor();
	});
});

it('the console follows the logs of the functions, which show no number', async () => {
	const page = await open('#logs');
	const phone = '+14155550102';
	const headers = { origin: stack.allowed_origin };
	await call(stack.base_url, '/widget/call-requests', { headers, body: visitorBody(stack, { phone }) });
	for (const [name, text] of [
		['request-call', 'status=202'],
		['dial-leg', 'call_id='],
	] as const) {
		await page.locator('.log').filter({ hasText: name }).filter({ hasText: text }).first().waitFor();
	}
	await eventually('the lines stay at the end', async () => {
		const [whole, top, visible]: number[] = await page.evaluate(
			'(({ scrollHeight, scrollTop, clientHeight }) => [scrollHeight, scrollTop, clientHeight])(document.querySelector("#log-list"))',
		);
		return Number(whole) - Number(top) - Number(visible) < 40 ? true : null;
	});
	expect(await page.locator('.log').filter({ hasText: phone }).count()).toBe(0);
});

const HOSTILE = `<img src=x onerror="globalThis.hit = true">${'W'.repeat(300)}`;
const story = (index: number): CallStory => {
	const id = `01K9ZZZZZZZZZZZZZZZZZZZ${String(index).padStart(3, '0')}`;
	const ended = {
		id,
		workspace_id: stack.workspace_id,
		status: 'failed' as const,
		visitor_phone_masked: '+1********01',
		source_url: `https://shop.example/${HOSTILE}`,
		connected_at: null,
		completed_at: '2026-01-01T00:00:04.000Z',
		duration_seconds: 0,
		created_at: '2026-01-01T00:00:00.000Z',
		failure_reason: 'visitor_busy' as const,
		reference: HOSTILE,
		name: HOSTILE,
	};
	const trace = callTrace(
		{ ...samples.call, ...ended, number_hash: 'aGFzaA' },
		{ events: [], notices: [], calls_back: [] },
		Date.parse(ended.completed_at),
	);
	return { id, call: ended, trace, webhooks: [] };
};
/** The state of a stack in which every text that comes from outside is malicious. */
const hostile = (): Partial<Shown> => ({
	calls: [story(0)],
	webhooks: [
		{
			id: '1',
			anchor: 'webhooks/1',
			inbox: 'demo',
			received_at: '2026-01-01T00:00:00.000Z',
			verified: false,
			error: HOSTILE,
			body: HOSTILE,
			headers: { 'service-event': HOSTILE, 'service-attempt': '2' },
		},
	],
	mails: [{ id: '1', received_at: '', from: HOSTILE, to: HOSTILE, subject: HOSTILE, text: HOSTILE, has_html: true }],
});

const looks: Record<string, BrowserContextOptions> = {
	'in light': {},
	'in forced colours': { forcedColors: 'active' },
	'in dark, 320 px wide, as at 400 % of 1280': { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
};
describe.each(spreadOf(Object.entries(looks), 2))('%s', (_, context) => {
	it('what visitors typed is shown as text, axe-core finds nothing in any view, and nothing is wider than the screen', async () => {
		const page = await open('', context, hostile);
		for (const view of ['calls', 'webhooks', 'mailbox', 'logs']) {
			await page.goto(`${stack.console_url}/#${view}`);
			await page.locator(`#${view} .card:not(.empty)`).first().waitFor();
			const summary = page.locator(`#${view} summary`);
			if ((await summary.count()) > 0) await summary.click();
			expect(await page.evaluate('[document.images.length, globalThis.hit ?? null]')).toEqual([1, null]);
			expect(await findings(page)).toEqual([]);
			expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
		}
	});

	it('axe-core finds nothing in the demo shop either', async () => {
		const page = await (await ownersBrowser(browser, stack, context)).newPage();
		await page.goto(stack.demo_url);
		await page.locator('call-back-widget:defined').waitFor({ state: 'attached' });
		// In forced colours, axe-core reads a text's fill colour from the style sheet of the page, not the colour that is drawn.
		const found = (await findings(page)).filter(
			(finding) => context.forcedColors === undefined || !finding.startsWith('color-contrast'),
		);
		expect(found).toEqual([]);
		expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
	});
});
