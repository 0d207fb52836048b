import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWidget } from '../../../infra/bundle/widget.ts';
import { startScriptedApi } from '../../support/browser/scripted-api.ts';
import { startCdn, startSite } from '../../support/browser/site.ts';

export type Page = {
	/** What the attribute of the workspace's key holds; several keys make the widget ask. */
	readonly keys?: string;
	/** Attributes of the html element. */
	readonly root?: string;
	/** Attributes of the script tag. */
	readonly embed?: string;
	/** The element itself instead of the one-line embed, with these attributes. */
	readonly element?: string;
	readonly head?: string;
	readonly body?: string;
	readonly csp?: (origins: { readonly cdn: string; readonly api: string }) => string;
	/** The widget's script comes two seconds after the page. */
	readonly late?: boolean;
};

/** Records in the page what the story reads later. The nonce of the page's policy allows it. */
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

/** A shop's site, the widget's files and the API, each at its own origin: at this machine's `address`, or at localhost. */
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
		/** The address of a new page with the widget. */
		page: (page: Page = {}): string =>
			add(
				`<main><h1>Acme</h1>${page.body ?? ''}</main>${widgetOf(page)}`,
				page,
				page.csp?.({ cdn: cdn.origin, api: api.origin }),
			),
		/** The address of a page that something else has written. */
		document(html: string, csp: string): string {
			const path = `/${++pages}`;
			site.pages.set(path, { html, csp });
			return `${site.origin}${path}`;
		},
		/** The address of a page that shows another one on the screen of a phone: no engine's own window is as small. */
		onPhone: (url: string, width: number): string =>
			add(`<iframe src="${url}" width="${width}" height="844" style="border:0"></iframe>`, {}),
		/** Changes a file that the script loads, like an attacker who controls the server. */
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
