import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { pack } from '../../tools/packages/pack.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { startScriptedApi } from '../support/browser/scripted-api.ts';
import { type Listening, listen } from '../support/listen.ts';
import { emptyProject } from './empty-project.ts';

// A shop that React renders as docs/widget-reference.md shows, bundled from the installed package.

const APP = `
	import { createElement, StrictMode, useRef, useState } from 'react';
	import { createRoot } from 'react-dom/client';
	import { CallBack } from '@call-back/widget/react';
	globalThis.states = [];
	function Shop() {
		const [visits, visit] = useState(0);
		const widget = useRef(null);
		const query = new URLSearchParams(location.search);
		const baseUrl = query.get('api');
		const keys = query.has('several') ? ['wk_sales', 'wk_support'] : 'wk';
		return createElement('main', null,
			createElement('button', { id: 'render', onClick: () => visit(visits + 1) }, String(visits)),
			createElement('button', { id: 'open', onClick: () => widget.current.open() }, 'Open'),
			createElement('button', { id: 'second', onClick: () => widget.current.open({ workspace_key: 'wk_support' }) }, 'Second'),
			createElement(CallBack, {
				ref: widget,
				className: 'corner',
				workspaceKey: keys,
				baseUrl,
				lang: 'de',
				whenClosed: 'hide',
				onState: (state, { workspace_key }) => states.push(query.has('several') ? state + ' ' + workspace_key : state),
			}));
	}
	createRoot(document.getElementById('root')).render(createElement(StrictMode, null, createElement(Shop)));`;

const folder = mkdtempSync(join(tmpdir(), 'packages-'));
let project: Awaited<ReturnType<typeof emptyProject>>;
let api: Awaited<ReturnType<typeof startScriptedApi>>;
let browser: Browser;
let site: Listening;
beforeAll(async () => {
	const { widget } = await pack(folder);
	project = await emptyProject([widget]);
	writeFileSync(join(project.folder, 'app.js'), APP);
	const { outputFiles } = await build({
		absWorkingDir: project.folder,
		entryPoints: ['app.js'],
		bundle: true,
		write: false,
		// React comes from this repository, and the widget from the project.
		nodePaths: [resolve(import.meta.dirname, '../../node_modules')],
	});
	const html = `<!doctype html><title>Shop</title><div id="root"></div><script>${outputFiles[0]?.text}</script>`;
	site = await listen(createServer((_, response) => void response.setHeader('content-type', 'text/html').end(html)));
	[api, browser] = await Promise.all([startScriptedApi(), launchChromium()]);
});
afterAll(async () => {
	await Promise.allSettled([browser?.close(), site?.close(), api?.close()]);
	project?.remove();
	rmSync(folder, { recursive: true, force: true });
});

it('StrictMode and later renders leave one element: its ref opens it, its texts are in its language, and it reports its states', async () => {
	const page = await browser.newPage();
	await page.goto(`${site.origin}/?api=${encodeURIComponent(`${api.origin}/v1`)}`);
	await page.locator('#render').click();
	await page.locator('#open').click();
	await page.locator('[part=consent] input').check();
	await page.locator('[part=input]').first().fill('+1 202 555 0101');
	await page.locator('[part=submit]').first().click();
	await page.waitForFunction(`states.includes('requested')`);
	expect(await page.locator('call-back-widget.corner[when-closed=hide]').count()).toBe(1);
	expect(await page.locator('#render').textContent()).toBe('1');
	expect(await page.evaluate('states.filter((state) => state === "sending").length')).toBe(1);
	expect(await page.locator('call-back-widget [dir]').first().getAttribute('lang')).toBe('de');
});

it('the element accepts several keys as an array: the bundle contains the script of the choice, and the ref can open the widget for one of them', async () => {
	const page = await browser.newPage();
	const address = `${site.origin}/?several&api=${encodeURIComponent(`${api.origin}/v1`)}`;
	await page.goto(address);
	await page.locator('#open').click();
	await page.locator('[part=choice]').nth(1).click();
	await page.locator('[part=input]').first().waitFor();
	await page.goto(address);
	await page.locator('#second').click();
	await page.locator('[part=input]').first().waitFor();
	expect(await page.locator('[part=choice]').count()).toBe(0);
	expect(await page.evaluate('states')).toEqual(['idle wk_support']);
});
