import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { copyPages } from '../../local/console/server/build-pages.ts';
import { type ConsoleServer, startConsole } from '../../local/console/server/server.ts';
import { languages } from '../../shared/domain/workspaces/language.ts';
import type { LeadNotice } from '../../shared/ports/team-notifier.ts';
import { leadMail } from '../../shared/presentation/lead-mail.ts';
import { findings } from '../support/browser/axe.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { misfitsNow } from '../support/browser/misfits.ts';
import { startSite } from '../support/browser/site.ts';
import { ownersBrowser } from '../support/browser/stack-and-browser.ts';

const notice: LeadNotice = {
	to: 'team@shop.example',
	workspace_name: 'Laden',
	locale: { language: 'de', time_zone: 'Europe/Berlin' },
	lead: {
		name: 'Ada Lovelace',
		note: null,
		visitor_phone_masked: '+49*********01',
		source_url: `https://shop.example/${'long-path/'.repeat(12)}`,
		created_at: '2026-11-21T10:00:00.000Z',
	},
	link: { url: 'https://api.example/v1/callback-links/x.y', expires_at: '2026-11-24T10:00:00.000Z' },
};
const arabic: LeadNotice = {
	...notice,
	workspace_name: 'متجر',
	locale: { language: 'ar', time_zone: 'Europe/Berlin' },
};
const HOSTILE = `<!doctype html><html lang="en"><head><title>x</title></head><body><h1>Hostile</h1>
	<script>parent.hit = true; document.title = 'ran'</script><img src="/pixel.svg" alt="" onerror="parent.hit = true">
	<form action="/hang-up/1"><button>Send</button></form></body></html>`;
const letters = new Map([
	['german', leadMail(notice)],
	['arabic', leadMail(arabic)],
	['hostile', { subject: 'Hostile', text: 'hostile', html: HOSTILE }],
]);

let browser: Browser;
let server: ConsoleServer;
const folder = mkdtempSync(join(tmpdir(), 'console-'));
beforeAll(async () => {
	await copyPages(folder);
	const mails = [...letters].map(([id, { html: _html, ...mail }]) => ({
		id,
		received_at: '2026-11-21T10:00:00.000Z',
		from: 'a@b.example',
		to: notice.to,
		has_html: true,
		...mail,
	}));
	const recent = { token: 't', shown: { calls: [], webhooks: [], mails } };
	server = await startConsole(0, {
		routes: { recent: () => ({ ...recent, stack: { console_url: `http://localhost:${server.port}` } }) },
		key: 'key',
		api_origin: 'http://localhost:1',
		actions: {},
		pages: folder,
		docs_site: 'http://localhost:1',
		letter: (id) => letters.get(id)?.html ?? null,
	});
	browser = await launchChromium();
});
afterEach(async () => {
	for (const context of browser.contexts()) await context.close();
});
afterAll(async () => {
	await Promise.all([browser.close(), server.close()]);
	rmSync(folder, { recursive: true });
});

async function open(path: string, context: BrowserContextOptions = {}): Promise<Page> {
	const console_url = `http://localhost:${server.port}`;
	const page = await (await ownersBrowser(browser, { console_url, console_key: 'key' }, context)).newPage();
	await page.goto(`${console_url}/${path}`);
	return page;
}
const letterIn = (page: Page, subject: string) => page.frameLocator(`iframe[title*="${subject}"]`);

describe('the mailbox on a phone', () => {
	const context = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

	it('shows a mail as its reader sees it, in the language of the team, no wider than the screen', async () => {
		const page = await open('#mailbox', context);
		const german = letterIn(page, 'Rückruf: Ada Lovelace');
		await german.getByRole('heading', { name: 'Ada Lovelace bittet um Rückruf.' }).waitFor();
		await german.getByRole('link', { name: 'Mich anrufen und verbinden' }).waitFor();
		await letterIn(page, 'Ada Lovelace،').getByRole('heading').waitFor();
		expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
		for (const frame of page.frames().slice(1)) {
			expect(await frame.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
		}
		expect(await findings(page)).toEqual([]);
	});

	it('shows a mail in its full height, with no empty half', async () => {
		const page = await open('#mailbox', context);
		const frame = page.locator('iframe[title*="Rückruf"]');
		await frame.scrollIntoViewIfNeeded();
		await letterIn(page, 'Rückruf').getByRole('heading').waitFor();
		const heights = await page.evaluate<readonly [number, number]>(
			'(({ clientHeight, contentDocument }) => [clientHeight, contentDocument.documentElement.scrollHeight])(document.querySelector("iframe[title*=Rückruf]"))',
		);
		expect(Math.abs(heights[0] - heights[1])).toBeLessThanOrEqual(4);
		expect(heights[0]).not.toBe(480);
	});

	it('shows a mail without axe-core findings, in every language', async () => {
		const page = await open('', context);
		for (const language of languages) {
			await page.setContent(leadMail({ ...notice, locale: { language, time_zone: 'Europe/Berlin' } }).html);
			expect([language, await findings(page), await misfitsNow(page)]).toEqual([language, [], []]);
		}
	});
});

describe('a mail', () => {
	it('opens its links in another tab', async () => {
		const page = await open('#mailbox');
		await page.context().route('https://api.example/**', (route) => route.fulfill({ body: 'the link' }));
		const button = letterIn(page, 'Rückruf').getByRole('link', { name: 'Mich anrufen und verbinden' });
		const [opened] = await Promise.all([page.context().waitForEvent('page'), button.click()]);
		await opened.waitForURL(notice.link.url);
		expect(await opened.evaluate('opener')).toBe(null);
	});

	it('runs nothing, loads nothing and reaches nothing, framed or opened alone', async () => {
		const page = await open('#mailbox');
		// Playwright also reports requests that the browser blocked, but only requests that were sent get a response.
		const answered: string[] = [];
		page.on('response', (response) => answered.push(new URL(response.url()).pathname));
		await letterIn(page, 'Hostile').getByRole('button', { name: 'Send' }).click();
		await page.goto(`http://localhost:${server.port}/letter/hostile`);
		await page.getByRole('button', { name: 'Send' }).click();
		expect(await page.title()).toBe('x');
		expect(answered.filter((path) => /pixel|hang-up/.test(path))).toEqual([]);
		const { headers } = await fetch(`http://localhost:${server.port}/letter/hostile`);
		expect(headers.get('content-security-policy')).toContain("default-src 'none'");
		expect((await fetch(`http://localhost:${server.port}/letter/none`)).status).toBe(404);
	});

	it('cannot be framed by another site', async () => {
		const site = await startSite();
		try {
			site.pages.set('/', { html: `<iframe src="http://localhost:${server.port}/letter/german"></iframe>` });
			const page = await (await browser.newContext()).newPage();
			await page.goto(`${site.origin}/`);
			const [, frame] = page.frames();
			await frame?.waitForLoadState();
			expect(await frame?.getByText('Mich anrufen').count()).toBe(0);
		} finally {
			await site.close();
		}
	});
});
