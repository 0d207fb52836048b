import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import * as z from 'zod/mini';
import { launchChromium } from '../../../support/browser/chromium.ts';
import { startCdn, startSite } from '../../../support/browser/site.ts';
import { eventually } from '../../../support/stack/api.ts';
import type { Running } from './running.ts';

const Manifest = z.object({ file: z.string(), integrity: z.string() });

/** A visitor's page with the widget. It stays open while one stack replaces another. */
export type OpenPage = {
	readonly page: Page;
	/** Opens the panel, and types the number. */
	fill(phone: string): Promise<void>;
	submit(): Promise<void>;
	/** Waits until the widget reports that the call has one of these states, and returns the state. */
	reach(...states: readonly string[]): Promise<string>;
};

/** A customer's site in a browser, and the widget's files as a deployment publishes them. */
export async function startPages(folder: string) {
	mkdirSync(folder, { recursive: true });
	const [browser, cdn, site] = await Promise.all([launchChromium(), startCdn(folder), startSite()]);
	let pages = 0;
	return {
		origin: site.origin,
		/** Publishes the widget of a stack. This replaces `widget.js`. The files of earlier stacks stay. */
		publish({ state_dir }: Running): void {
			cpSync(join(state_dir, 'pages/widget'), folder, { recursive: true });
		},
		/** Opens a page with the current widget. `pinned`: the page names the script by its hash, with its integrity value. */
		async open(wiring: Wiring, pinned: boolean): Promise<OpenPage> {
			pages += 1;
			const { file, integrity } = Manifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
			const source = pinned
				? `src="${cdn.origin}/${file}" integrity="${integrity}" crossorigin="anonymous"`
				: `src="${cdn.origin}/widget.js"`;
			const script = `<script ${source} data-workspace-key="${wiring.workspace_key}" data-base-url="${wiring.base_url}" async></script>`;
			site.pages.set(`/${pages}`, {
				html: `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1></main>${script}</html>`,
			});
			return openedPage(browser, `${site.origin}/${pages}`);
		},
		stop: () => Promise.all([browser.close(), cdn.close(), site.close()]),
	};
}
export type Pages = Awaited<ReturnType<typeof startPages>>;
type Wiring = { readonly workspace_key: string; readonly base_url: string };

const RECORD_STATES = `globalThis.states = [];
	document.addEventListener('callback:state', (event) => states.push(event.detail.state));`;

async function openedPage(browser: Browser, url: string): Promise<OpenPage> {
	const context = await browser.newContext();
	const page = await context.newPage();
	await page.addInitScript(RECORD_STATES);
	await page.goto(url);
	await page.locator('[part=launcher]').waitFor();
	return {
		page,
		async fill(phone) {
			await page.locator('[part=launcher]').click();
			await page.locator('[part=panel]').getByRole('textbox').first().fill(phone);
			await page.getByRole('checkbox').check();
		},
		submit: () => page.locator('form button').click(),
		reach: (...states) =>
			eventually(`the widget's call is ${states.join(' or ')}`, async () => {
				const said = await page.evaluate<string[]>('states');
				return states.find((state) => said.includes(state)) ?? null;
			}),
	};
}
