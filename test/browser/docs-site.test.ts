import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { docsOf } from '../../local/console-server/build-pages.ts';
import { type ConsoleServer, startConsole } from '../../local/console-server/server.ts';
import { isProblemCode, problems, problemType } from '../../shared/contract/kernel/problem.ts';
import { document } from '../openapi/document.ts';
import { launchChromium } from './support/chromium.ts';

// The documentation as the console serves it below /docs.

let browser: Browser;
let server: ConsoleServer;
let folder: string;
let site: string;
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'docs-site-'));
	const content = {
		routes: {},
		key: 'k',
		api_origin: 'http://localhost:1',
		actions: {},
		pages: folder,
		letter: () => null,
	};
	[browser, server] = await Promise.all([
		launchChromium(),
		startConsole(0, { ...content, docs: docsOf(join(folder, 'docs')) }),
	]);
	site = `http://localhost:${server.port}/docs/`;
});
afterAll(async () => {
	await Promise.all([browser.close(), server.close()]);
	rmSync(folder, { recursive: true, force: true });
});

const read = (file: string): string => readFileSync(file, 'utf8');

/** Every page that links lead to from the first one, with its links. */
async function crawl(): Promise<ReadonlyMap<string, { readonly status: number; readonly html: string }>> {
	const seen = new Map<string, { readonly status: number; readonly html: string }>();
	const waiting = [site];
	for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
		if (seen.has(url)) continue;
		const response = await fetch(url);
		const html = await response.text();
		seen.set(url, { status: response.status, html });
		if (url.endsWith('api.html') || !response.headers.get('content-type')?.includes('html')) continue;
		for (const [, href = ''] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
			const target = new URL(href, url);
			if (target.origin === new URL(site).origin) waiting.push(target.href.split('#')[0] ?? '');
		}
	}
	return seen;
}

it('has a target for every link of every page', async () => {
	const seen = await crawl();
	expect(seen.size).toBeGreaterThan(30);
	expect([...seen].filter(([, { status }]) => status !== 200).map(([url]) => url)).toEqual([]);
	const dead = [...seen].flatMap(([url, { html }]) =>
		[...html.matchAll(/<a href="([^"]+#[^"]+)"/g)].flatMap(([, href = '']) => {
			const [page = '', id = ''] = new URL(href, url).href.split('#');
			const target = seen.get(page);
			return target === undefined || target.html.includes(`id="${id}"`) ? [] : [`${url} -> ${href}`];
		}),
	);
	expect(dead).toEqual([]);
});

it('has a section for every problem, at the address that the problem names', async () => {
	const codes = Object.keys(problems).filter(isProblemCode);
	const [address = ''] = problemType('not_found', site.slice(0, -1)).split('#');
	const html = await (await fetch(address)).text();
	const places = codes.map((code) => problemType(code, site.slice(0, -1)).replace(`${address}#`, ''));
	expect(places.filter((id) => !html.includes(`<h2 id="${id}"`))).toEqual([]);
	expect(codes.length).toBeGreaterThan(30);
});

it('leaves the type of a problem as it was where no documentation is served', () => {
	expect(problemType('not_found')).toBe('https://docs.callback-widget.example/problems/not_found');
});

it('sends /docs to the first page', async () => {
	const response = await fetch(site.replace(/\/$/, ''));
	expect([response.status, response.url]).toEqual([200, site]);
});

it.each([
	['webhooks', 320],
	['webhooks', 1280],
	['index', 320],
	['architecture', 320],
	['data-model', 320],
	['call-states', 320],
	['call-states', 1280],
] as const)('%s needs no scrolling to the side at %i pixels, and axe-core finds nothing', async (name, width) => {
	const page = await browser.newPage({ viewport: { width, height: 800 }, bypassCSP: true });
	await page.goto(`${site}${name}.html`);
	expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
	await page.waitForFunction('document.querySelector("pre.mermaid:not([data-processed])") === null');
	await page.evaluate(axe.source);
	const found = await page.evaluate(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
		nodes.slice(0, 3).map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`);
	expect(found).toEqual([]);
	await page.close();
});

describe('a reader', () => {
	const open = async (name: string, width = 1280): Promise<Page> => {
		const page = await browser.newPage({ viewport: { width, height: 844 } });
		await page.goto(`${site}${name}.html`);
		return page;
	};

	it('finds the pages in the order of docs/README.md, by reader, each once', async () => {
		const page = await open('index');
		const links: string[] = await page.evaluate(
			`[...document.querySelectorAll('#menu a')].map(({ pathname }) => pathname.replace('/docs/', ''))`,
		);
		const overview = read('docs/README.md');
		const named = [...overview.matchAll(/\]\(([\w./-]+)\.md\)/g)].map(([, name = '']) => name);
		const pages = named.map((name) => (name === '../README' ? 'index.html' : `${name}.html`));
		expect(links.filter((link) => pages.includes(link))).toEqual(
			pages.filter((name, at) => pages.indexOf(name) === at),
		);
		const documents = globSync(['README.md', 'CHANGELOG.md', 'docs/**/*.md']).length;
		expect([links.length, new Set(links).size]).toEqual([documents + 1, documents + 1]);
		const groups = await page.locator('#menu .group').allTextContents();
		const readers = [...overview.matchAll(/^\*\*(.+)\*\*/gm)].map(([, reader]) => reader);
		expect(groups).toEqual(['Start here', ...readers, 'More']);
		await page.close();
	});

	it('finds a section, and an operation of the API, by words in the middle of a text', async () => {
		const page = await open('decisions/README');
		const field = page.getByRole('searchbox', { name: 'Search the documentation' });
		await field.fill('signing secret overlap');
		await page.getByRole('link', { name: /^API reference: Rotate the signing secret/ }).waitFor();
		await field.fill('verify signature python');
		await page.locator('.results a').first().waitFor();
		await field.press('ArrowDown');
		await page.keyboard.press('Enter');
		await page.waitForURL(/\/docs\/[\w-]+[.]html/);
		const again = page.getByRole('searchbox', { name: 'Search the documentation' });
		await again.fill('xylophone');
		await page.getByText('Nothing found.').waitFor();
		await page.close();
	});

	it('copies a block of code', async () => {
		const page = await open('webhooks');
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		const block = page.locator('.code').first();
		await block.getByRole('button', { name: 'Copy' }).click();
		await block.getByRole('button', { name: 'Copied' }).waitFor();
		expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await block.locator('code').textContent());
		await page.close();
	});

	it('sees on a phone the text first, and the menu and the contents when asked', async () => {
		const page = await open('webhooks', 390);
		const title = await page.getByRole('heading', { level: 1 }).boundingBox();
		expect(title?.y).toBeLessThan(200);
		expect(await page.locator('#menu').isVisible()).toBe(false);
		await page.getByRole('button', { name: 'Menu' }).click();
		await page.locator('#menu').getByRole('link', { name: 'Webhooks' }).waitFor();
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'On this page' }).click();
		await page.locator('#contents').getByRole('link', { name: 'Verify' }).click();
		await page.locator('#contents').waitFor({ state: 'hidden' });
		expect(page.url()).toMatch(/#verify$/);
		await page.close();
	});

	it.each([390, 1280])('reads no name in a table in two lines at %i pixels', async (width) => {
		for (const name of ['webhooks', 'widget', 'index', 'local-stack']) {
			const page = await open(name, width);
			const split = await page.evaluate(`[...document.querySelectorAll('td code')]
				.filter((code) => !code.textContent.includes(' ') && code.getClientRects().length > 1)
				.map(({ textContent }) => textContent)`);
			expect(split).toEqual([]);
			await page.close();
		}
	});
});

const diagramsOf = (text: string): number => text.match(/^```mermaid$/gm)?.length ?? 0;
const drawn = globSync(['README.md', 'docs/**/*.md']).filter((file) => diagramsOf(read(file)) > 0);

it.each(drawn)('draws every diagram of %s, with a title, and loads nothing but its own files', async (file) => {
	const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
	const asked: string[] = [];
	const said: string[] = [];
	page.on('request', (request) => asked.push(request.url()));
	page.on('console', (message) => said.push(message.text()));
	const name = file === 'README.md' ? 'index' : file.slice('docs/'.length, -'.md'.length);
	await page.goto(`${site}${name}.html`);
	const pictures = page.locator('pre.mermaid[data-processed] svg[aria-labelledby]');
	await pictures.last().waitFor();
	expect(await pictures.count()).toBe(diagramsOf(read(file)));
	expect(await page.getByText('Syntax error').count()).toBe(0);
	expect(said).toEqual([]);
	expect(asked.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(site))).toEqual([]);
	await page.close();
});

describe('the API reference', () => {
	let page: Page;
	const asked: string[] = [];
	const refused: string[] = [];
	beforeAll(async () => {
		page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
		page.on('request', (request) => asked.push(request.url()));
		page.on('console', (message) => {
			if (message.type() === 'error') refused.push(message.text());
		});
		await page.goto(`${site}api.html`);
		await page.getByText('Call-Back Widget Service').first().waitFor();
	});
	afterAll(() => page.close());

	it('names every operation', async () => {
		const html = await page.content();
		const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
		expect(operations.filter(({ summary }) => !html.includes(summary)).map(({ summary }) => summary)).toEqual([]);
	});

	it('leads to the other pages', async () => {
		expect(await page.getByRole('link', { name: 'All documentation' }).getAttribute('href')).toBe('index.html');
	});

	it('finds an operation by a word', async () => {
		await page.keyboard.press('Control+k');
		await page
			.getByPlaceholder(/search/i)
			.last()
			.fill('rotate');
		await page.getByText('Rotate the signing secret').last().waitFor();
		await page.keyboard.press('Escape');
	});

	it('shows a request in several languages, and copies it', async () => {
		await page.goto(`${site}api.html#operation/get-call`);
		await page.getByText('curl https://api.example.com/v1/calls/').first().waitFor();
		await page.getByRole('button', { name: 'curl', exact: true }).first().click();
		for (const language of ['JavaScript', 'Python', 'PHP', 'Ruby', 'Go', 'Java', 'C#']) {
			await page.getByText(language, { exact: true }).first().waitFor();
		}
		expect(await page.getByRole('button', { name: /copy/i }).count()).toBeGreaterThan(0);
	});

	it('shows the limits', async () => {
		expect(await page.content()).toContain('600 requests a minute');
	});

	it('loads nothing but itself, under a policy that allows no other script', () => {
		expect(asked.filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(site))).toEqual([]);
		expect(refused).toEqual([]);
	});
});
