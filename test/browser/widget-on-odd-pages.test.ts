import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { soon, suiteStage, type Visit, type VisitOptions } from '../support/browser/stage.ts';
import { spreadOf } from '../support/spread-of.ts';

const stage = suiteStage();

/** A page with this markup in its head. `snippet` changes the usual script tag. */
const pageWith =
	(head: string, { body = '', snippet = (widget: string) => widget } = {}) =>
	(widget: string) => ({
		'': `<!doctype html><html lang="en"><head><title>Acme</title>${head}</head><body><h1>Acme</h1>${body}${snippet(widget)}</body></html>`,
	});

/** A string literal for a script inside a page. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('</', '<\\/');

/** Opens the panel, requests a call, and finds the call again after a reload. */
async function callAndReload(visit: Visit): Promise<void> {
	Object.assign(visit.api.script, { status: 'ringing', visitor_phone_rings: true });
	await visit.open();
	await visit.send();
	await visit.status.filter({ hasText: 'Your phone' }).waitFor();
	await visit.page.reload();
	await visit.status.filter({ hasText: 'Your phone' }).waitFor();
	expect(visit.api.seen('call')).toHaveLength(1);
}

const REPLACED = [
	['Array.prototype.entries of Prototype', 'Array.prototype.entries = function () { return this.slice() }'],
	['Array.prototype.toJSON', `Array.prototype.toJSON = function () { return '[' + this + ']' }`],
	['a function on every object', 'Object.prototype.each = function () {}'],
	['a function on every array', 'Array.prototype.last = function () {}'],
	['var URL', `var URL = 'https://shop.example'`],
	['var origin', `var origin = 'NYC'`],
	['var name and status', `var name = 'x', status = 'y', event = 'z', top2 = 1`],
	['a fetch of its own', 'function fetch(id) { return document.getElementById(id).value }'],
	['a fetch that answers nothing', 'window.fetch = async () => undefined'],
	['a fetch that is none', 'window.fetch = null'],
	['Date.parse of datejs', 'Date.parse = () => null'],
	['Function.prototype.bind of MooTools', 'Function.prototype.bind = function () { return this }'],
	['an Event of its own', 'window.Event = function () {}'],
] as const;

describe('on a page where old libraries and careless scripts replace built-ins', () => {
	it.each(spreadOf(REPLACED, 3))('%s: the launcher, the panel, the call and its reload work', async (_, script) => {
		const visit = await stage.visit({ pages: pageWith(`<script>${script}</script>`) });
		await callAndReload(visit);
		expect(visit.troubles).toEqual([]);
	});
});

describe('a click that the page stops or retargets', () => {
	const button = '<button id="talk" data-callback-open>Talk to us</button>';
	const clicks = [
		['a modal stops it', `<div onclick="event.stopPropagation()">${button}</div>`, ''],
		['the document stops it', button, `document.addEventListener('click', (e) => e.stopImmediatePropagation(), true)`],
		['the handler returns false', button.replace('data-', 'onclick="return false" data-'), ''],
		['the button removes itself', button.replace('data-', 'onclick="this.remove()" data-'), ''],
		[
			'the button removes the dialog that it is in',
			`<div id="modal" role="dialog">${button.replace('data-', `onclick="document.querySelector('#modal').remove()" data-`)}</div>`,
			'',
		],
		[
			'the button is in a component',
			'<x-button></x-button>',
			`document.querySelector('x-button').attachShadow({ mode: 'open' }).innerHTML = '${button}'`,
		],
		[
			'the whole component is marked, its button is inside',
			'<x-button data-callback-open></x-button>',
			`document.querySelector('x-button').attachShadow({ mode: 'open' }).innerHTML = '<button>Talk to us</button>'`,
		],
		[
			'the click meets a text in it',
			button.replace('Talk to us', '<svg width="80" height="20"><text y="15">Talk to us</text></svg>'),
			'',
		],
	] as const;
	it.each(spreadOf(clicks, 2))('opens the panel: %s', async (_, body, script) => {
		const visit = await stage.visit({ body });
		await visit.page.evaluate(script);
		await visit.page.getByText('Talk to us').click();
		await visit.phone.waitFor();
	});

	it('does not follow the link', async () => {
		const visit = await stage.visit({
			body: '<div onclick="event.stopPropagation()"><a href="#top" data-callback-open>Talk to us</a></div>',
		});
		await visit.page.getByText('Talk to us').click();
		await visit.phone.waitFor();
		expect(visit.page.url()).not.toContain('#top');
	});
});

describe('the script from another host', () => {
	const copy = () => readFileSync(join(stage.folder, 'widget.js'), 'utf8');
	const inline = (widget: string) =>
		widget.replace(/src="[^"]*" async/, '').replace('></script>', () => `>${copy()}</script>`);
	const blob = (widget: string) => `<script>{
		const tag = document.createElement('script');
		for (const [, name, value] of ${quoted(widget)}.matchAll(/(data-[a-z-]+)="([^"]*)"/g)) tag.setAttribute(name, value);
		tag.src = URL.createObjectURL(new Blob([${quoted(copy())}], { type: 'text/javascript' }));
		document.body.append(tag);
	}</script>`;
	const own = (widget: string) => widget.replace(/src="[^"]*"/, 'src="/copied/widget.min.js"');
	const copies = [
		['copied to the host of the shop', own],
		['inline', inline],
		['as a blob', blob],
	] as const;
	beforeAll(() => {
		stage.site.pages.set('/copied/widget.min.js', { html: copy(), type: 'text/javascript' });
	});

	it.each(copies)('%s finds the panel where data-script-url says', async (_, made) => {
		const snippet = (widget: string) =>
			made(widget.replace('data-', `data-script-url="${stage.cdn.origin}/widget.js" data-`));
		await callAndReload(await stage.visit({ pages: pageWith('', { snippet }) }));
	});

	it.each(copies)('%s names the missing panel in the console, and the attribute that finds it', async (_, made) => {
		const visit = await stage.visit({ pages: pageWith('', { snippet: made }) });
		const { said } = visit;
		await visit.launcher.click();
		await soon(() => said.length > 0);
		expect(said).toEqual([expect.stringMatching(/widget\..*\.panel\.js.*data-script-url/)]);
	});
});

describe('a script that does not see its tag', () => {
	const bare = (widget: string) => widget.replace(/ data-.*?>/, '>');
	const added = (widget: string) => `<script>{
		const box = document.createElement('div');
		box.innerHTML = ${quoted(widget)};
		document.body.append(box);
		// jQuery puts the tag on the page, but runs the text of the tag's file in another script element. That element has no
		// attributes.
		fetch(box.firstChild.src).then((answer) => answer.text()).then((text) => {
			const runs = document.createElement('script');
			runs.text = text;
			document.head.appendChild(runs).remove();
		});
	}</script>`;
	it.each([
		['a module', (widget: string) => widget.replace('<script', '<script type="module"')],
		['added by jQuery', added],
		[
			'imported, with its tag on the page',
			(widget: string) =>
				`${widget.replace('<script', '<script type="text/plain"')}<script>import('${stage.cdn.origin}/widget.js')</script>`,
		],
	])('finds the tag: %s', async (_, snippet) => {
		await callAndReload(await stage.visit({ pages: pageWith('', { snippet }) }));
	});

	it('that another script imports finds the widget’s element on the page', async () => {
		const visit = await stage.visit({
			pages: pageWith('', {
				snippet: (widget) =>
					`<call-back-widget ${widget.match(/data-.*"/)?.[0].replaceAll('data-', '')}></call-back-widget><script>import('${stage.cdn.origin}/widget.js')</script>`,
			}),
		});
		await callAndReload(visit);
	});

	it.each(
		spreadOf(
			[
				['a clone with its address alone', bare],
				['imported alone', () => `<script>import('${stage.cdn.origin}/widget.js')</script>`],
			] as const,
			2,
		),
	)('says in one line that it found neither its tag nor the widget’s element: %s', async (_, snippet) => {
		const visit = await stage.visit({ clock: true, pages: pageWith('', { snippet }) });
		const { said } = visit;
		await visit.passUntil(() => said.length > 0);
		await visit.pass(60_000);
		expect(said).toEqual([expect.stringMatching(/data-workspace-key.*<call-back-widget>/)]);
	});

	it('says nothing if the page adds the widget’s element within seconds', async () => {
		const snippet = (widget: string) => `${bare(widget)}<script>
			setTimeout(() => document.body.append(document.createElement('call-back-widget')), 5000)</script>`;
		const visit = await stage.visit({ clock: true, pages: pageWith('', { snippet }) });
		await visit.pass(60_000);
		await visit.launcher.waitFor();
		expect(visit.said).toEqual([]);
	});
});

describe('the launcher under the page’s own styles', () => {
	const TALL = '<p style="height: 3000px">Text</p>';
	const styles = [
		['a filter on the body', 'body { filter: grayscale(1) }'],
		['a transform on the body', 'body { transform: translateZ(0) }'],
		['containment of the root', 'html { contain: paint } body { will-change: transform }'],
		['layers of everything', 'body > * { position: relative; z-index: 1 }'],
		[
			'a bar above everything',
			'h1 { position: fixed; inset: auto 0 0 0; height: 200px; z-index: 2147483647; background: red }',
		],
		[
			'a body that scrolls',
			'html { height: 100%; overflow: hidden } body { height: 100%; overflow: auto; perspective: 1px }',
		],
		['popovers of its own', '[popover] { inset: 0; margin: auto }'],
	] as const;
	it.each(spreadOf(styles, 3))('is in the corner of the window, in front: %s', async (_, css) => {
		const visit = await stage.visit({ pages: pageWith(`<style>${css}</style>`, { body: TALL }) });
		await visit.launcher.waitFor();
		const box = await visit.launcher.boundingBox();
		const { width = 0, height = 0 } = visit.page.viewportSize() ?? {};
		expect((box?.x ?? 0) + (box?.width ?? 0)).toBeCloseTo(width - 20, 0);
		expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(height - 20, 0);
		await visit.launcher.click();
		await visit.phone.waitFor();
		await visit.page.keyboard.press('Escape');
		await visit.launcher.click();
		await visit.phone.waitFor();
	});

	it('stays in front when its element moves on the page, and after the panel has been in a dialog', async () => {
		const visit = await stage.visit({
			pages: pageWith('<style>body { filter: grayscale(1) }</style>', {
				body: `${TALL}<dialog id="modal"><button data-callback-open>Talk to us</button></dialog>`,
			}),
		});
		const inLayer = () => visit.inside<boolean>(`root.querySelector('[part=launcher]').matches(':popover-open')`);
		await visit.page.evaluate(`document.querySelector('h1').append(document.querySelector('call-back-widget'))`);
		await soon(inLayer);
		await visit.page.evaluate(`document.querySelector('#modal').showModal()`);
		await visit.page.getByText('Talk to us').click();
		await visit.phone.waitFor();
		await visit.page.keyboard.press('Escape');
		await visit.page.evaluate(`document.querySelector('#modal').close()`);
		await soon(inLayer);
		await visit.launcher.click();
		await visit.phone.waitFor();
	});
});

describe('attributes that a framework binds late', () => {
	const late = (set: string): VisitOptions => ({
		pages: pageWith('', {
			snippet: (widget) => {
				const [, base = ''] = /base-url="([^"]*)"/.exec(widget) ?? [];
				return `<script src="${stage.cdn.origin}/widget.js"></script><script>{
					const widget = document.createElement('call-back-widget');
					const bind = (more) => Object.entries({ 'workspace-key': 'wk', 'base-url': '${base}', ...more })
						.forEach(([name, value]) => widget.setAttribute(name, value));
					${set}
				}</script>`;
			},
		}),
	});
	it.each(
		spreadOf(
			[
				['in the task that adds the element', 'document.body.append(widget); bind()'],
				['in a task after it', 'document.body.append(widget); setTimeout(bind, 50)'],
				[
					'after the panel of an inline element has loaded',
					`widget.setAttribute('inline', ''); document.body.append(widget); setTimeout(bind, 500)`,
				],
				['inline itself', `document.body.append(widget); setTimeout(() => bind({ inline: '' }), 50)`],
				['before it is added', 'bind(); document.body.append(widget)'],
			] as const,
			2,
		),
	)('are read: %s', async (name, set) => {
		const visit = await stage.visit(late(set));
		await visit.page.locator('[base-url]').waitFor({ state: 'attached' });
		if (name.includes('inline')) await visit.phone.waitFor();
		else await visit.open();
		await visit.send();
		await visit.reach('requested');
	});

	it('change the launcher and the panel, and what the visitor has typed stays', async () => {
		const visit = await stage.visit();
		await visit.open();
		await visit.phone.fill('+12025550101');
		const set = (name: string, value: string) =>
			visit.page.evaluate(`document.querySelector('call-back-widget').setAttribute('${name}', '${value}')`);
		await set('lang', 'de');
		await visit.page.getByRole('heading', { name: 'Wir rufen Sie sofort an' }).waitFor();
		expect(await visit.phone.inputValue()).toBe('+12025550101');
		await set('accent', '#1c3d8f');
		await set('avatar', 'Ida Wells');
		await visit.panel.getByText('Ida Wells').waitFor();
		await visit.page.keyboard.press('Escape');
		await visit.launcher.filter({ hasText: 'Rückruf' }).waitFor();
		expect(await visit.inside(`getComputedStyle(root.querySelector('[part=launcher]')).backgroundColor`)).toBe(
			'rgb(28, 61, 143)',
		);
	});

	it('do not disturb a call', async () => {
		const visit = await stage.visit();
		visit.api.script.status = 'ringing';
		await visit.open();
		await visit.send();
		await visit.reach('ringing');
		await visit.page.evaluate(`document.querySelector('call-back-widget').setAttribute('workspace-key', 'wk2')`);
		visit.api.script.status = 'connected';
		await visit.reach('connected');
		expect(await visit.panel.isVisible()).toBe(true);
	});
});

describe('in a sandboxed frame', () => {
	const framed = (sandbox: string): VisitOptions => ({
		pages: (widget, path) => ({
			'': `<!doctype html><title>Acme</title><script>customElements.define('call-back-widget', class extends HTMLElement {})</script>
				<iframe sandbox="${sandbox}" src="${path}/frame" width="700" height="600"></iframe>`,
			'/frame': `<!doctype html><html lang="en"><title>Framed</title><h1>Framed</h1>${widget}</html>`,
		}),
	});
	it.each([
		['a click', async ({ page }: Visit) => page.frameLocator('iframe').locator('[part=submit]').click()],
		['Enter', async ({ page }: Visit) => page.frameLocator('iframe').locator('#name').press('Enter')],
	])('that allows no forms, %s requests the call', async (_, submit) => {
		const visit = await stage.visit(framed('allow-scripts allow-same-origin'));
		const frame = visit.page.frameLocator('iframe');
		await frame.locator('[part=launcher]').click();
		await frame.locator('#tel').fill('+12025550101');
		await frame.getByRole('checkbox').check();
		await submit(visit);
		await soon(() => visit.api.seen('call').length === 1);
	});

	it('that has no origin, the console says that the frame needs one', async () => {
		const visit = await stage.visit({
			...framed('allow-scripts'),
			prepare: ({ script }) => void Object.assign(script, { origins: [] }),
		});
		const { said } = visit;
		await visit.page.frameLocator('iframe').locator('[part=launcher]').click();
		await soon(() => said.length > 0);
		expect(said).toEqual([expect.stringMatching(/allow-same-origin/)]);
	});
});

describe('under a Content-Security-Policy', () => {
	const strict = (scripts: string) => (origins: { readonly api: string }) =>
		`default-src 'none'; script-src ${scripts}; connect-src ${origins.api}; require-trusted-types-for 'script'`;
	const pinned = (more: string) => (widget: string) =>
		widget.replace('async', `integrity="${stage.manifest.integrity}" crossorigin ${more} async`);
	it.each(
		spreadOf(
			[
				[
					'with both hashes',
					(): string => `'${stage.manifest.integrity}' '${stage.manifest.panel.integrity}'`,
					pinned(''),
				],
				['with a nonce', (): string => `'nonce-abc'`, pinned('nonce="abc"')],
				['with a nonce and strict-dynamic', (): string => `'nonce-abc' 'strict-dynamic'`, pinned('nonce="abc"')],
				[
					'with the paths of both files',
					() => `${stage.cdn.origin}/widget.js ${stage.cdn.origin}/${stage.manifest.panel.file}`,
					pinned(''),
				],
			] as const,
			2,
		),
	)('%s a call succeeds without a violation', async (_, scripts, snippet) => {
		const visit = await stage.visit({ pages: pageWith('', { snippet }), csp: (origins) => strict(scripts())(origins) });
		await callAndReload(visit);
		expect(await visit.page.evaluate('violations')).toEqual([]);
	});

	it.each(
		spreadOf(
			[
				['the hash', () => `'${stage.manifest.integrity}'`],
				['the path', () => `${stage.cdn.origin}/widget.js`],
			] as const,
			2,
		),
	)('with %s of the script alone, the console names the panel and the policy', async (_, scripts) => {
		const visit = await stage.visit({
			pages: pageWith('', { snippet: pinned('') }),
			csp: (origins) => strict(scripts())(origins),
		});
		const { said } = visit;
		await visit.launcher.click();
		await soon(() => said.length > 0);
		expect(said).toEqual([expect.stringMatching(/panel\.js.*Content-Security-Policy/)]);
	});
});

describe('a base URL that is not the API', () => {
	const at = (base: string): VisitOptions => ({
		clock: true,
		pages: pageWith('', {
			snippet: (widget) => widget.replace(/data-base-url="[^"]*"/, base && `data-base-url="${base}"`),
		}),
	});
	it.each(
		spreadOf(
			[
				[
					'the site itself',
					(): string => `${stage.site.origin}/v1`,
					/localhost:\d+\/v1 .*404.*text\/html.*data-base-url/,
				],
				['forgotten', (): string => '', /localhost:\d+\/v1 .*404.*data-base-url/],
				[
					'a host that does not exist',
					(): string => 'https://misspelt.invalid/v1',
					/misspelt\.invalid\/v1.*data-base-url/,
				],
			] as const,
			2,
		),
	)('is named in the console, with what it answered: %s', async (_, base, line) => {
		const visit = await stage.visit(at(base()));
		const { said } = visit;
		await visit.launcher.click();
		await visit.passUntil(() => said.length > 0);
		expect(said).toEqual([expect.stringMatching(line)]);
	});

	it('is named in the console, too, if it answers with JSON that is not the API’s', async () => {
		stage.site.pages.set('/other/v1/widget/config', { html: '{"message":"Hello"}', type: 'application/json' });
		const visit = await stage.visit(at(`${stage.site.origin}/other/v1`));
		const { said } = visit;
		await visit.launcher.click();
		await visit.passUntil(() => said.length > 0);
		expect(said).toEqual([expect.stringMatching(/other\/v1 .*200.*application\/json.*data-base-url/)]);
	});
});

describe('a document that React hydrates', () => {
	const APP = `
		import { createElement as h, useState } from 'react';
		export const App = () => h('html', { lang: 'en' }, h('head', null, h('title', null, 'Acme')),
			h('body', null, h('main', null, h('input', { id: 'search' }), h(Count)), h('footer', null, 'Footer')));
		function Count() { const [n, set] = useState(0); return h('button', { id: 'count', onClick: () => set(n + 1) }, 'Count ' + n); }`;
	it('keeps its content and what was typed, and the widget works', async () => {
		const bundle = async (contents: string) => {
			const { outputFiles } = await build({
				stdin: { contents, resolveDir: import.meta.dirname, loader: 'js' },
				bundle: true,
				write: false,
				format: 'iife',
				define: { 'process.env.NODE_ENV': '"production"' },
			});
			return outputFiles[0]?.text ?? '';
		};
		stage.site.pages.set('/hydrate.js', {
			html: await bundle(`${APP}
				import { hydrateRoot } from 'react-dom/client';
				globalThis.recovered = [];
				globalThis.hydrate = () => hydrateRoot(document, h(App), { onRecoverableError: (error) => recovered.push(String(error)) });`),
			type: 'text/javascript',
		});
		const { promise, resolve: parseOn } = Promise.withResolvers<void>();
		const slow = '<script src="/slow.js"></script>';
		const visit = await stage.visit({
			pages: (widget) => ({
				'': `<!doctype html><html lang="en"><head><title>Acme</title>${widget}<script src="/hydrate.js"></script></head><body><main><input id="search"/><button id="count">Count 0</button></main>${slow}<footer>Footer</footer></body></html>`,
			}),
		});
		// The widget's script runs while the parser is in the middle of the body. The parser waits there for another script.
		await visit.page.route('**/slow.js', async (route) => {
			await promise;
			await route.fulfill({ contentType: 'text/javascript', body: 'document.currentScript.remove()' });
		});
		await visit.page.goto(visit.url, { waitUntil: 'commit' });
		await visit.page.waitForFunction(`customElements.get('call-back-widget')`);
		parseOn();
		await visit.launcher.waitFor();
		// If the widget stood in front of another element, React 18 would find a wrong element there and build the page again.
		expect(await visit.page.evaluate('document.body.lastElementChild.localName')).toBe('call-back-widget');
		await visit.page.locator('#search').fill('typed');
		await visit.page.evaluate('hydrate()');
		await visit.page.locator('#count').click();
		await visit.page.getByText('Count 1').waitFor();
		expect(await visit.page.locator('#search').inputValue()).toBe('typed');
		expect(await visit.page.evaluate('recovered')).toEqual([]);
		await callAndReload(visit);
	});
});
