import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { putWidget } from '../kept-widget.ts';
import { eventually } from '../stack/api.ts';
import { started } from '../started.ts';
import { launchChromium } from './chromium.ts';
import { startScriptedApi } from './scripted-api.ts';
import { startCdn, startSite } from './site.ts';

type Api = Awaited<ReturnType<typeof startScriptedApi>>;
/** How a visit differs from the usual one: a plain page in English with the one-line embed, on a desktop screen. */
export type VisitOptions = {
	readonly context?: BrowserContextOptions;
	/** The value of the attribute that holds the workspace's key. */
	readonly keys?: string;
	/** Attributes of the script tag, in addition to `src`, key and base URL. */
	readonly embed?: string;
	/**
	 * Embeds the widget as a custom element instead of the script tag. These are its attributes in addition to key and base URL.
	 */
	readonly element?: string;
	/** Attributes of the html element. */
	readonly root?: string;
	readonly body?: string;
	/** Whole pages that replace the usual page, by path: the visited page, and others that it links to. */
	readonly pages?: (widget: string, path: string) => Readonly<Record<string, string>>;
	readonly csp?: (origins: { readonly cdn: string; readonly api: string }) => string;
	/** Sets up the scripted service before the page is opened. */
	readonly prepare?: (api: Api) => void;
	/** A script that runs before every other script of the page. The visit then does not wait for the widget's script. */
	readonly first?: string;
	/** Stops the page's clock. Only `pass` advances it. */
	readonly clock?: boolean;
};
export type Visit = Awaited<ReturnType<Awaited<ReturnType<typeof openStage>>['visit']>>;

const RECORD_STATES = `
	globalThis.states = [];
	globalThis.violations = [];
	document.addEventListener('callback:state', (event) => states.push(event.detail.state));
	document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));`;

function handles(page: Page, clock: boolean) {
	const panel = page.locator('[part=panel]');
	const phone = panel.getByRole('textbox').first();
	const consent = page.getByRole('checkbox');
	const submit = page.locator('form button');
	let open = 0;
	page.on('request', () => open++);
	page.on('requestfinished', () => open--);
	page.on('requestfailed', () => open--);
	const pass = async (ms = 1) => {
		if (!clock) return;
		await soon(() => open === 0);
		await page.evaluate('0');
		await page.clock.runFor(ms);
	};
	return {
		page,
		panel,
		phone,
		consent,
		submit,
		launcher: page.locator('[part=launcher]'),
		name: panel.getByRole('textbox').nth(1),
		status: page.getByRole('status'),
		lead: page.locator('[part=lead]'),
		again: page.locator('[part=again]'),
		note: panel.locator('#note'),
		/** Advances a stopped clock as soon as no request is open. */
		pass,
		/** Advances the clock second by second until `happened` is true. */
		async passUntil(happened: () => boolean): Promise<void> {
			for (let seconds = 0; !happened(); seconds++) {
				if (seconds > 300) throw new Error(`did not happen in 5 minutes: ${happened}`);
				await pass(1000);
			}
		},
		/** Opens the panel and waits for the form. */
		async open(): Promise<void> {
			await page.locator('[part=launcher]').click();
			await pass();
			await phone.waitFor();
		},
		async fill(number = '+1 202 555 0101'): Promise<void> {
			await phone.fill(number);
			await consent.check();
		},
		async send(number?: string): Promise<void> {
			await this.fill(number);
			await submit.click();
			await pass();
		},
		/** Switches to the request for a callback, ticks the box for its consent text, and sends it. */
		async sendLead(): Promise<void> {
			await page.locator('[part=lead]').click();
			await consent.check();
			await submit.click();
			await pass();
		},
		/** Waits until `state` is the latest state that the widget has reported. */
		reach: (state: string) => soon(async () => (await page.evaluate('states.at(-1)')) === state),
		states: (): Promise<string[]> => page.evaluate('states'),
		/** Evaluates an expression in the page, in which `root` is the widget's shadow root. */
		inside: <T>(expression: string): Promise<T> =>
			page.evaluate(`((root) => ${expression})(document.querySelector('call-back-widget').shadowRoot)`),
		/** The focused element, even inside the widget: its id, its part or its tag name. */
		focused: (): Promise<string> =>
			page.evaluate(`(() => {
				const host = document.activeElement;
				const element = host.shadowRoot?.activeElement ?? host;
				return element.id || element.part.value || element.localName;
			})()`),
	};
}

/** A browser, a customer's site, the CDN and the API, each with its own origin, and a function that visits the site. */
async function openStage() {
	const folder = mkdtempSync(join(tmpdir(), 'widget-'));
	const manifest = await putWidget(folder);
	const [browser, cdn, site] = await Promise.all([launchChromium(), startCdn(folder), startSite()]);
	const ends: (() => Promise<void>)[] = [];
	let visits = 0;

	async function visit(options: VisitOptions = {}) {
		const api = await startScriptedApi();
		options.prepare?.(api);
		const context = await browser.newContext({
			viewport: { width: 800, height: 720 },
			reducedMotion: 'reduce',
			...options.context,
		});
		// A page may close while a route handler still answers its requests. That is no error.
		const ignoreRoutes = () =>
			Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
		ends.push(
			async () => void (await ignoreRoutes()),
			() => context.close(),
			api.close,
		);
		const wiring = (prefix: string) =>
			`${prefix}workspace-key="${options.keys ?? 'wk'}" ${prefix}base-url="${api.origin}/v1"`;
		const script = (attributes: string) => `<script src="${cdn.origin}/widget.js" async ${attributes}></script>`;
		const widget =
			options.element === undefined
				? script(`${wiring('data-')} ${options.embed ?? ''}`)
				: `${script('')}<call-back-widget ${wiring('')} ${options.element}></call-back-widget>`;
		const path = `/${++visits}`;
		const csp = options.csp?.({ cdn: cdn.origin, api: api.origin });
		site.pages.set(path, {
			html: `<!doctype html><html ${options.root ?? 'lang="en"'}><head><title>Acme</title>
				<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>
				<body><main><h1>Acme</h1>${options.body ?? ''}</main>${widget}</body></html>`,
			...(csp && { csp }),
		});
		for (const [below, html] of Object.entries(options.pages?.(widget, path) ?? {})) {
			site.pages.set(`${path}${below}`, { html, ...(csp && { csp }) });
		}
		const page = await context.newPage();
		const visitor = handles(page, options.clock === true);
		const troubles: string[] = [];
		page.on('pageerror', (error) => troubles.push(error.message));
		const said: string[] = [];
		page.on('console', (message) => message.text().startsWith('call-back-widget: ') && said.push(message.text()));
		if (options.clock) await page.clock.install({ time: 0 });
		await page.addInitScript(RECORD_STATES);
		if (options.first !== undefined) await page.addInitScript(options.first);
		await page.goto(`${site.origin}${path}`);
		if (options.first === undefined) await page.waitForFunction(`customElements.get('call-back-widget')`);
		if (options.clock) await page.clock.pauseAt(60_000);
		/** `said`: the lines that the widget wrote in the console. */
		return { ...visitor, api, context, troubles, said, url: `${site.origin}${path}` };
	}

	return {
		visit,
		manifest,
		folder,
		cdn,
		site,
		/** Ends every visit so far. */
		async clear(): Promise<void> {
			for (const end of ends.splice(0)) await end();
		},
		async close(): Promise<void> {
			await this.clear();
			await Promise.all([browser.close(), cdn.close(), site.close()]);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** Waits until `happened` is true. Use it for things that the browser causes in this process. */
export async function soon(happened: () => boolean | Promise<boolean>): Promise<void> {
	await eventually(String(happened), async () => ((await happened()) ? true : null));
}

/** What the timer of a conversation shows once it counts. Which second a test sees first depends on how busy the machine is. */
export const COUNTS = /^(?!0:0[01])\d+:\d\d$/;

/** A stage for a test file. It is opened before the tests, cleared after each test and closed at the end. */
export function suiteStage() {
	const stage = started(openStage, (running) => running.close());
	afterEach(() => stage.clear());
	return stage;
}
