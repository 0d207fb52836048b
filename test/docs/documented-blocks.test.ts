import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { Manifest } from '../../infra/bundle/widget.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { startCdn, startSite } from '../support/browser/site.ts';
import { documentedBlocks, type FencedBlock, place } from '../support/fenced-blocks.ts';
import { putWidget } from '../support/kept-widget.ts';

// Runs the examples of the README and docs/ in JavaScript, HTML, CSS and JSON, as they stand there. newcomer.test.ts runs the
// commands and the TypeScript examples.

/** Languages whose blocks another test runs, or which cannot be run. */
const RUN_ELSEWHERE = {
	python: 'test/docs/webhooks.test.ts',
	php: 'test/docs/webhooks.test.ts',
	ruby: 'test/docs/webhooks.test.ts',
	go: 'test/docs/webhooks.test.ts',
	javascript: 'test/docs/webhooks.test.ts',
	jsx: 'test/packages/react.test.ts',
} as const;
const RUN_BY_NEWCOMER = ['sh', 'bash', 'ts'];
/** test/browser/docs-site.test.ts draws all diagrams of these languages. */
const DRAWN = ['mermaid'];
const RUN_HERE = ['js', 'html', 'css', 'json'];

const repository = resolve(import.meta.dirname, '../..');
const blocks = documentedBlocks();
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));
const placed = (found: readonly FencedBlock[]) => found.map((block) => [place(block), block] as const);

it('every code block that names its language is run by a test', () => {
	expect(blocks.length).toBeGreaterThan(20);
	const known = [...RUN_HERE, ...RUN_BY_NEWCOMER, ...DRAWN, ...Object.keys(RUN_ELSEWHERE)];
	expect(blocks.filter(({ language }) => !known.includes(language)).map(place)).toEqual([]);
	for (const [language, test] of Object.entries(RUN_ELSEWHERE)) {
		for (const { file } of inLanguage(language)) expect(readFileSync(join(repository, test), 'utf8')).toContain(file);
	}
});

describe('for a page', () => {
	const source = (...files: string[]) => files.map((file) => readFileSync(join(repository, file), 'utf8')).join('\n');
	const widget = source(
		...readdirSync(join(repository, 'packages/widget'), { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.(ts|css)$/.test(file))
			.map((file) => `packages/widget/${file}`),
	);

	describe('the HTML', () => {
		let browser: Browser;
		let cdn: Awaited<ReturnType<typeof startCdn>>;
		let site: Awaited<ReturnType<typeof startSite>>;
		let folder: string;
		let manifest: Manifest;
		beforeAll(async () => {
			folder = mkdtempSync(join(tmpdir(), 'documented-widget-'));
			manifest = await putWidget(folder);
			[browser, cdn, site] = await Promise.all([launchChromium(), startCdn(folder), startSite()]);
		});
		afterAll(async () => {
			await Promise.all([browser.close(), cdn.close(), site.close()]);
			rmSync(folder, { recursive: true, force: true });
		});

		const filled = (html: string) =>
			html
				.replace(/https:\/\/<(widget address|where you serve it)>/g, cdn.origin)
				.replace('https://<your API>', site.origin)
				.replace('widget.<version>.js', manifest.file)
				.replace('sha384-…', manifest.integrity)
				.replaceAll('wk_…', 'wk_documented');

		it.each(placed(inLanguage('html')))('of %s puts the widget on the page', async (_place, { text }) => {
			const html = filled(text);
			expect(html).not.toMatch(/…|<\w+ ?[\w ]*>.*\.js/);
			site.pages.set('/', { html: `<!doctype html><html lang="en"><body>${html}</body></html>` });
			const page = await browser.newPage();
			await page.goto(`${site.origin}/`);
			const part = text.includes(' inline') ? 'panel' : 'launcher';
			await page.locator(`[part=${part}]`).waitFor();
			// A block may show several pages, so the widget has to have one of the block's keys.
			const keys = [...html.matchAll(/["'](wk_[\w ]+)["']/g)].map(([, key]) => key);
			expect(keys).toContain(await page.locator('call-back-widget').getAttribute('workspace-key'));
			await page.close();
		});

		it('uses only attributes that the widget reads', () => {
			const own = ['src', 'async', 'integrity', 'crossorigin'];
			for (const { text } of inLanguage('html')) {
				const bare = text.replace(/"[^"]*"/g, '');
				const tags = [...bare.matchAll(/<(?:script|call-back-widget)\b([^>]*)>/g)].map(([, rest = '']) => rest);
				expect(tags.length).toBeGreaterThan(0);
				const names = tags.flatMap((rest) => [...rest.matchAll(/[\w-]+/g)].map(String));
				const read = (name: string) =>
					["'name'", '[name]', "'data-name'"].some((form) => widget.includes(form.replace('name', name)));
				const unknown = names.filter((name) => !own.includes(name) && !read(name) && !read(name.replace(/^data-/, '')));
				expect(unknown).toEqual([]);
			}
		});
	});

	it.each(placed(inLanguage('css')))(
		'the CSS of %s names properties and parts that the widget has',
		(_place, { text }) => {
			const properties = [...text.matchAll(/--callback-[\w-]+/g)].map((found) => `${found}:`);
			const parts = [...text.matchAll(/(?<=::part\()[\w-]+/g)].map((found) => `'${found}'`);
			expect(properties.length + parts.length).toBeGreaterThan(2);
			expect([...properties, ...parts].filter((name) => !widget.includes(name))).toEqual([]);
		},
	);

	it.each(placed(inLanguage('js')))('the JavaScript of %s gets the events of a call', (_place, { text }) => {
		const heard: unknown[] = [];
		const document = new EventTarget();
		const window: { dataLayer?: unknown[] } = {};
		const gtag = (kind: string, event: string, fields: object) => kind === 'event' && heard.push({ event, ...fields });
		const analytics = { track: (what: string) => heard.push(what) };
		const navigator = { sendBeacon: (path: string, body: string) => heard.push([path, JSON.parse(body)]) };
		const location = { search: '?gclid=click-1' };
		runInNewContext(text, { document, window, gtag, analytics, navigator, location, URLSearchParams });
		const detail = { id: 'call-1', reference: 'order-4711', reason: null };
		for (const state of ['ringing', 'connected']) {
			document.dispatchEvent(new CustomEvent('callback:state', { detail: { ...detail, state } }));
		}
		const pushed = { event: 'callback_connected', callback_id: 'call-1', callback_reference: 'order-4711' };
		const sent = ['/ads/calls', { id: 'call-1', gclid: 'click-1' }];
		const expected = text.includes('sendBeacon') ? sent : 'call connected';
		expect([...heard, ...(window.dataLayer ?? [])]).toEqual([/dataLayer|gtag/.test(text) ? pushed : expected]);
	});

	it.each(placed(inLanguage('json')))('the JSON of %s is valid', (_place, { text }) => {
		expect(() => JSON.parse(text)).not.toThrow();
	});
});
