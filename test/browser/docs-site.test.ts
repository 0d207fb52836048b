import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../../local/aws/dynamodb.ts';
import { isProblemCode, problems, problemType } from '../../shared/contract/kernel/problem.ts';
import { sitePaths } from '../../tools/docs-site/pages.ts';
import { buildSite } from '../../tools/docs-site/site.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { document } from '../support/openapi-document.ts';
import { eventually } from '../support/stack/api.ts';

// The documentation as `npm run docs` builds and serves it. If the npm registry cannot be reached, there is nothing to test.

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'docs-site-'));
const API = 'http://localhost:3999/v1';
process.env['CALL_BACK_URL'] = API;
const isBuilt = await buildSite(folder);
if (!isBuilt) process.stderr.write('skipped\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (file: string): string => readFileSync(file, 'utf8');
/** The HTML of the site's pages, by path. */
const htmlOf = new Map(
	globSync('**/*.html', { cwd: folder }).map((file) => [`/${file.replace(/\.html$/, '')}`, read(join(folder, file))]),
);
const addressOf = (file: string): string => `/${sitePaths[file]?.replace(/\.md$/, '')}`;
const linksOf = (html: string): readonly string[] =>
	[...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

(isBuilt ? describe : describe.skip)('the built site', () => {
	it('has a page with the title of each document', () => {
		for (const file of Object.keys(sitePaths)) {
			const title = /^# (.+)$/m.exec(read(join(root, file)))?.[1]?.replaceAll('`', '');
			const [, heading = ''] = /<h1[^>]*>(.*?)<a/s.exec(htmlOf.get(addressOf(file)) ?? '') ?? [];
			expect(
				heading
					.replaceAll(/<[^>]+>/g, '')
					.replaceAll('&#39;', "'")
					.trim(),
			).toBe(title);
		}
	});

	it('has a target for every link of every page', () => {
		const dead = [...htmlOf].flatMap(([address, html]) =>
			linksOf(html).flatMap((href) => {
				const target = new URL(href, `http://site${address}`);
				if (target.origin !== 'http://site') return [];
				const page = target.pathname.endsWith('/') ? `${target.pathname}index` : target.pathname;
				const found = htmlOf.get(page.replace(/\.html$/, ''));
				const id = decodeURIComponent(target.hash.slice(1));
				if (found === undefined) return existsSync(join(folder, page)) ? [] : [`${address} -> ${href}`];
				return id === '' || id === 'VPContent' || found.includes(`id="${id}"`) ? [] : [`${address} -> ${href}`];
			}),
		);
		expect(dead).toEqual([]);
		expect(htmlOf.size).toBeGreaterThan(50);
	});

	it('has an icon on every page, so that no browser asks for a missing one', () => {
		const without = [...htmlOf].filter(([, html]) => !/<link rel="icon" href="data:image/.test(html));
		expect(without.map(([address]) => address)).toEqual([]);
	});

	it('has a section for every problem, at the address that the problem’s type names', () => {
		const codes = Object.keys(problems).filter(isProblemCode);
		const ids = codes.map((code) => problemType(code, 'http://site').replace('http://site/problems#', ''));
		expect(ids.filter((id) => !htmlOf.get('/problems')?.includes(`<h2 id="${id}"`))).toEqual([]);
		expect(codes.length).toBeGreaterThan(30);
	});
});

(isBuilt ? describe : describe.skip)('the served site', () => {
	let browser: Browser;
	let site: string;
	let stop: () => void;
	beforeAll(async () => {
		browser = await launchChromium();
		const port = await freePort();
		site = `http://localhost:${port}`;
		const vite = join(root, 'tools/docs-site/node_modules/vite/bin/vite.js');
		const args = [vite, 'preview', join(root, 'tools/docs-site'), '--outDir', folder, '--port', String(port)];
		const server = spawn(process.execPath, args, { stdio: 'ignore' });
		stop = () => void server.kill();
		await eventually('a site', () => fetch(site).catch(() => null));
	});
	afterAll(async () => {
		stop();
		await browser.close();
	});

	/** Opens a page. Records what it loads from other hosts, and the errors and warnings in its console. */
	async function open(
		path: string,
		width = 1280,
		colorScheme: 'light' | 'dark' = 'light',
	): Promise<{ readonly page: Page; readonly strange: string[] }> {
		const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
		page.setDefaultTimeout(200_000);
		const strange: string[] = [];
		page.on('console', (message) => {
			if (['error', 'warning'].includes(message.type())) strange.push(message.text());
		});
		page.on('pageerror', (error) => strange.push(error.message));
		page.on('request', (request) => {
			if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(site)) strange.push(request.url());
		});
		await page.goto(`${site}${path}`);
		return { page, strange };
	}

	async function findings(page: Page): Promise<unknown> {
		await page.evaluate(axe.source);
		return page.evaluate(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
			nodes.slice(0, 3).map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`);
	}
	const sideways = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

	const diagramsOf = (file: string): number => read(join(root, file)).match(/^```mermaid$/gm)?.length ?? 0;
	const drawn = Object.keys(sitePaths).filter((file) => diagramsOf(file) > 0);
	it.each(drawn)('draws every diagram of %s, with a title', async (file) => {
		const { page, strange } = await open(addressOf(file));
		const pictures = page.locator('.diagram svg[aria-labelledby]');
		await pictures.nth(diagramsOf(file) - 1).waitFor();
		expect(await page.getByText('Syntax error').count()).toBe(0);
		expect(strange).toEqual([]);
		await page.close();
	});

	const shown = ['/', '/webhooks', '/problems', '/data-model', '/architecture', '/decisions/'];
	const looks = [
		['light', 390],
		['light', 1280],
		['dark', 1280],
	] as const;
	it.each(shown.flatMap((path) => looks.map(([scheme, width]) => [path, scheme, width] as const)))(
		'shows %s without horizontal scrolling in %s at %i pixels, and axe-core finds nothing',
		async (path, scheme, width) => {
			const { page } = await open(path, width, scheme);
			await page.waitForFunction('document.querySelector("pre.diagram") === null');
			expect(await findings(page)).toEqual([]);
			expect(await page.evaluate(sideways)).toBe(0);
			await page.close();
		},
	);

	it('finds a section even if one word of the search is on no page, and opens the section', async () => {
		const { page, strange } = await open('/decisions/');
		await page.getByRole('button', { name: 'Search' }).click();
		const field = page.getByRole('searchbox');
		await field.fill('verify signature xylophone');
		await page
			.getByRole('link', { name: /Webhooks.*Verify/ })
			.first()
			.waitFor();
		await field.fill('signing secret overlap');
		await page.getByRole('link', { name: /Rotate a secret/ }).waitFor();
		await field.press('Enter');
		await page.waitForURL(`${site}/webhooks#rotate-a-secret`);
		expect(strange).toEqual([]);
		await page.close();
	});

	it.each([
		['429', '/client#if-the-api-answers-429'],
		['api key', '/client#get-an-api-key'],
		['opening hours', '/desk#how-do-i-change-the-opening-hours'],
		['remove the widget', '/getting-started#how-do-i-remove-the-widget'],
		['wordpress', '/getting-started#wordpress'],
		['cookie', '/widget#does-it-need-a-cookie-banner'],
		['fastify', '/receivers#fastifyts'],
	])('answers a search for "%s" with %s as the first result', async (asked, expected) => {
		const { page } = await open('/');
		await page.getByRole('button', { name: 'Search' }).click();
		await page.getByRole('searchbox').fill(asked);
		const first = page.locator('.VPLocalSearchBox .result').first();
		await first.locator('mark').first().waitFor();
		expect(await first.getAttribute('href')).toMatch(new RegExp(`^${expected}`));
		await page.close();
	});

	describe('has an API reference that', () => {
		const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((methods) =>
			Object.values(methods),
		);

		it.each([390, 1280])('names every operation, and axe-core finds nothing at %i pixels', async (width) => {
			const { page, strange } = await open('/api', width);
			await page.getByRole('heading', { name: 'Call-Back Widget Service' }).waitFor();
			// The page draws an operation only when it comes into view, so the test scrolls through the page.
			await page.waitForFunction(`(async () => {
				for (let at = 0; at < document.documentElement.scrollHeight; at += innerHeight / 2) {
					scrollTo(0, at);
					await new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
				}
				return document.querySelectorAll('.request-card').length === ${operations.length};
			})()`);
			const headings = await page.getByRole('heading').allTextContents();
			for (const { summary } of operations) expect(headings).toContainEqual(expect.stringContaining(summary));
			const badges = await page.locator('.badge').allTextContents();
			expect(badges).toContain('webhooks:write');
			expect(badges.filter((badge) => badge.trim() === '')).toEqual([]);
			expect(await findings(page)).toEqual([]);
			expect(await page.evaluate(sideways)).toBe(0);
			expect(strange).toEqual([]);
			await page.close();
		});

		it('names the running API as its server, and whose code samples call that API', async () => {
			const { page, strange } = await open('/api#tag/calls/GET/calls/{id}');
			await page.getByText(API, { exact: true }).first().waitFor();
			await page.getByText('The API that this site was built for.').first().waitFor();
			await page.getByText(`curl ${API}/calls`).first().waitFor();
			expect(await page.content()).not.toContain('api.example.com');
			expect(strange).toEqual([]);
			await page.close();
		});

		it('leads to the other pages', async () => {
			const { page } = await open('/api');
			await page.getByRole('link', { name: 'All documentation' }).click();
			await page.waitForURL(`${site}/`);
			await page.close();
		});
	});
});
