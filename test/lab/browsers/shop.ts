import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWidget } from '../../../infra/bundle/widget.ts';
import { startScriptedApi } from '../../support/browser/scripted-api.ts';
import { startCdn, startSite } from '../../support/browser/site.ts';

export type Page = {
	/** The value of the attribute for the workspace's key. With several keys, the widget asks the visitor which one to use. */
	readonly keys?: string;
	/** Attributes of the html element. */
	readonly root?: string;
	/** Attributes of the script tag. */
	readonly embed?: string;
	/** Embeds the custom element with these attributes, instead of the one-line embed. */
	readonly element?: string;
	readonly head?: string;
	readonly body?: string;
	readonly csp?: (origins: { readonly cdn: string; readonly api: string }) => string;
	/** The widget's script arrives two seconds after the page. */
	readonly late?: boolean;
};

/** A script of the page that records what the story reads later. It has the nonce of the page's Content-Security-Policy. */
const NOTES = `
	globalThis.states = [];
	globalThis.violations = [];
	globalThis.said = [];
	document.addEventListener('callback:state', (event) => states.push(event.detail.state));
	document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
	console.error = (line) => said.push(String(line));`;
const HEAD = `<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
	<script nonce="lab">${NOTES}</script>`;
const LATE_MS = 2000;

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** A shop's site, the widget's files and the API, each with its own origin. They listen at `address`, or at localhost. */
export async function openShop(address?: string) {
	const folder = mkdtempSync(join(tmpdir(), 'browsers-'));
	const manifest = buildWidget(folder);
	const [cdn, site, api] = await Promise.all([
		startCdn(folder, address),
		startSite(address),
		startScriptedApi(address),
	]);
	let pages = 0;

	function add(body: string, { root = 'lang="en"', head = '' }: Page, csp?: string): string {
		const path = `/${++pages}`;
		const html = `<!doctype html><html ${root}><head><title>Acme</title>${HEAD}${head}</head><body>${body}</body></html>`;
		site.pages.set(path, { html, ...(csp !== undefined && { csp }) });
		return `${site.origin}${path}`;
	}

	function widgetOf({ embed = '', element, late = false, keys = 'wk' }: Page): string {
		const wiring = (prefix: string) => `${prefix}workspace-key="${keys}" ${prefix}base-url="${api.origin}/v1"`;
		const script = (attributes: string) => `<script src="${cdn.origin}/widget.js" async ${attributes}></script>`;
		if (element !== undefined) return `${script('')}<call-back-widget ${wiring('')} ${element}></call-back-widget>`;
		if (!late) return script(`${wiring('data-')} ${embed}`);
		const attributes = { src: `${cdn.origin}/widget.js`, workspaceKey: 'wk', baseUrl: `${api.origin}/v1` };
		return `<script>setTimeout(() => {
			const { src, ...data } = ${JSON.stringify(attributes)};
			const script = document.createElement('script');
			Object.assign(script.dataset, data);
			document.body.append(Object.assign(script, { src }));
		}, ${LATE_MS})</script>`;
	}

	return {
		manifest,
		api,
		/** Adds a page with the widget. Returns its URL. */
		page: (page: Page = {}): string =>
			add(
				`<main><h1>Acme</h1>${page.body ?? ''}</main>${widgetOf(page)}`,
				page,
				page.csp?.({ cdn: cdn.origin, api: api.origin }),
			),
		/** Adds a page with this HTML. Returns its URL. */
		document(html: string, csp: string): string {
			const path = `/${++pages}`;
			site.pages.set(path, { html, csp });
			return `${site.origin}${path}`;
		},
		/**
		 * Adds a page that shows another page in a frame of a phone's size, because no engine's window can be made that small.
		 * Returns its URL.
		 */
		onPhone: (url: string, width: number): string =>
			add(`<iframe src="${url}" width="${width}" height="844" style="border:0"></iframe>`, {}),
		/** Changes a file that the widget's script loads, as an attacker who controls the server could. */
		tamper(part: 'panel' | 'choice', code: string): void {
			const file = join(folder, manifest[part].file);
			writeFileSync(file, `${readFileSync(file, 'utf8')}\n${code}`);
		},
		async close(): Promise<void> {
			await Promise.all([cdn.close(), site.close(), api.close()]);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
