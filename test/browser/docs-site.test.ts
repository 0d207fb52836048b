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

const read = (file: string): string => readFileSync(file, 'utf8');
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
			if (/Content Security Policy/.test(message.text())) refused.push(message.text());
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
