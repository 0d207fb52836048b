import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { soon, suiteStage, type Visit } from '../support/browser/stage.ts';
import { spreadOf } from '../support/spread-of.ts';

const require = createRequire(import.meta.url);
const stage = suiteStage();
beforeAll(() => {
	const scripts = {
		'/turbo.js': require.resolve('@hotwired/turbo').replace(/[^/]*$/, 'turbo.es2017-umd.js'),
		'/htmx.js': require.resolve('htmx.org/dist/htmx.min.js'),
	};
	for (const [path, file] of Object.entries(scripts)) {
		stage.site.pages.set(path, { html: readFileSync(file, 'utf8'), type: 'text/javascript' });
	}
});

/** A script that records how many widgets each drawn frame has, how many of them work, and how often a widget script ran. */
const WATCH = `
	globalThis.runs = 0;
	globalThis.frames = new Set();
	document.addEventListener('load', ({ target }) => { if (/widget/.test(target.src)) runs++; }, true);
	(function look() {
		const widgets = [...document.querySelectorAll('call-back-widget')];
		frames.add(widgets.length + ' widgets, ' + widgets.filter(({ shadowRoot }) => shadowRoot).length + ' alive');
		requestAnimationFrame(look);
	})();`;
const ONE = ['1 widgets, 1 alive'];

type Place = 'head' | 'body';
type Site = {
	readonly place: Place;
	readonly head?: string;
	readonly body?: string;
	/** Makes the snippet of a page from the usual one (`widget`). */
	readonly snippet?: (widget: string, at: '' | '/next') => string;
	readonly root?: (at: '' | '/next') => string;
	readonly prepare?: NonNullable<Parameters<typeof stage.visit>[0]>['prepare'];
};

/** A site with two pages that link to each other. */
async function visitSite({ place, head = '', body = '', snippet = (widget) => widget, root, prepare }: Site) {
	const pages = (widget: string, path: string) => {
		const html = (at: '' | '/next', title: string, link: string) =>
			`<!doctype html><html ${root?.(at) ?? 'lang="en"'}><head><title>${title}</title>${head}
				${place === 'head' ? snippet(widget, at) : ''}</head><body ${body}><h1>${title}</h1>
				<a id="link" href="${link}">Go</a>${place === 'body' ? snippet(widget, at) : ''}</body></html>`;
		return { '': html('', 'Acme', `${path}/next`), '/next': html('/next', 'Next', path) };
	};
	const visit = await stage.visit({ pages, ...(prepare && { prepare }) });
	await visit.launcher.waitFor();
	await visit.page.evaluate(`globalThis.document_of_arrival = 1;${WATCH}`);
	const shows = (title: string) => visit.page.getByRole('heading', { name: title, level: 1 }).waitFor();
	return {
		...visit,
		/**
		 * Follows the link, or goes back or forward in the history. Waits until the page is shown and the widget's script has run
		 * `runs` more times.
		 */
		async go(step: 'link' | 'back' | 'forward', title: string, runs = 0): Promise<void> {
			const before = Number(await visit.page.evaluate('runs'));
			await visit.page.evaluate(step === 'link' ? "document.querySelector('#link').click()" : `history.${step}()`);
			await shows(title);
			await soon(async () => Number(await visit.page.evaluate('runs')) >= before + runs);
			await visit.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
			// The framework has replaced the content of the page without a page load in the browser.
			expect(await visit.page.evaluate('globalThis.document_of_arrival')).toBe(1);
		},
		frames: (): Promise<string[]> => visit.page.evaluate('[...frames]'),
	};
}

/** Requests a call that rings. */
async function call(visit: Visit): Promise<void> {
	Object.assign(visit.api.script, { status: 'ringing', visitor_phone_rings: true });
	await visit.open();
	await visit.send();
	await visit.reach('ringing');
}

const TURBO = '<script src="/turbo.js"></script>';
const HTMX = '<script src="/htmx.js"></script>';
const frameworks = [
	['Turbo', { head: TURBO }],
	['Turbo that morphs', { head: `${TURBO}<meta name="turbo-refresh-method" content="morph">` }],
	['htmx boost', { head: HTMX, body: 'hx-boost="true"' }],
	[
		'htmx boost with a cache of its own',
		{ head: `${HTMX}<meta name="htmx-config" content='{"historyCacheSize":0}'>`, body: 'hx-boost="true"' },
	],
] as const;
const places = ['head', 'body'] as const;
const sites = frameworks.flatMap(([name, site]) => places.map((place) => [name, place, { ...site, place }] as const));

describe.each(spreadOf(sites, 3))('%s with the script in the %s', (_, place, site) => {
	// A script in the body runs again with each page.
	const runs = place === 'body' ? 1 : 0;

	it('shows one widget on every page, forward and back', async () => {
		const visit = await visitSite(site);
		await visit.go('link', 'Next', runs);
		await visit.go('back', 'Acme', runs);
		await visit.go('forward', 'Next', runs);
		await visit.go('link', 'Acme', runs);
		expect(await visit.frames()).toEqual(ONE);
		await call(visit);
		expect(visit.api.seen('call')).toHaveLength(1);
		expect(visit.troubles).toEqual([]);
	});

	it('keeps the panel of a live call and what was typed, and follows the call to its end', async () => {
		const visit = await visitSite(site);
		await visit.open();
		await visit.fill();
		await visit.go('link', 'Next', runs);
		expect(await visit.phone.inputValue()).toBe('+1 202 555 0101');
		Object.assign(visit.api.script, { status: 'ringing', visitor_phone_rings: true });
		await visit.submit.click();
		await visit.reach('ringing');
		await visit.go('back', 'Acme', runs);
		expect(await visit.status.isVisible()).toBe(true);
		await visit.go('forward', 'Next', runs);
		const polls = visit.api.seen('status').length;
		await soon(() => visit.api.seen('status').length > polls + 2);
		Object.assign(visit.api.script, { status: 'completed', duration_seconds: 5 });
		await visit.reach('completed');
		expect(await visit.status.isVisible()).toBe(true);
		expect(await visit.states()).toEqual(['sending', 'ringing', 'completed']);
		expect(await visit.frames()).toEqual(ONE);
		expect(visit.api.seen('call')).toHaveLength(1);
	});
});

const exchanges = [
	['replaces the markup of its body', `document.body.innerHTML = '<h1>New</h1>'`],
	['empties its body', 'document.body.replaceChildren()'],
	['replaces its body', `document.body.replaceWith(document.createElement('body'))`],
	['replaces the markup of the document', `document.documentElement.innerHTML = '<head></head><body></body>'`],
	[
		'replaces the root',
		`document.documentElement.replaceWith(new DOMParser().parseFromString('<p>New', 'text/html').documentElement)`,
	],
	[
		'is written anew',
		`document.open(); document.write('<!doctype html><title>New</title><h1>New</h1>'); document.close()`,
	],
	[
		'takes its body away for a while',
		`new Promise((done) => { document.body.remove(); setTimeout(() => {
		document.documentElement.append(document.createElement('body')); done(); }, 60); })`,
	],
	[
		'moves the widget and removes its new place',
		`const box = document.createElement('div'); document.body.append(box);
		box.append(document.querySelector('call-back-widget')); box.remove()`,
	],
	[
		'restores a copy of its markup',
		`const copy = document.body.innerHTML; document.body.innerHTML = ''; document.body.innerHTML = copy`,
	],
	['restores a clone of its body', `const old = document.body.cloneNode(true); document.body.replaceWith(old)`],
	[
		'exchanges its body in a view transition',
		`document.startViewTransition(() => document.body.replaceWith(document.createElement('body'))).updateCallbackDone`,
	],
] as const;

const exchanged = exchanges.flatMap(([what, exchange]) => places.map((place) => [what, place, exchange] as const));

describe('a page', () => {
	it.each(spreadOf(exchanged, 3))(
		'that %s has one widget, also during a live call, with the script in the %s',
		async (_, place, exchange) => {
			const visit = await visitSite({ place });
			await call(visit);
			await visit.page.evaluate(`(async () => { ${exchange} })()`);
			await soon(async () => `${await visit.page.locator('call-back-widget').count()}` === '1');
			const polls = visit.api.seen('status').length;
			await soon(() => visit.api.seen('status').length > polls + 2);
			await visit.status.waitFor();
			visit.api.script.status = 'completed';
			await visit.status.filter({ hasText: 'Call ended' }).waitFor();
			expect(visit.api.seen('call')).toHaveLength(1);
			expect(await visit.page.locator('call-back-widget').count()).toBe(1);
		},
	);
});

describe('the snippet twice on a page', () => {
	const reference = (widget: string) => widget.replace('async', 'async data-reference="order-1"');
	it.each([
		['the same', (widget: string) => widget + widget],
		['once with a reference', (widget: string) => widget + reference(widget)],
		['with nothing between', (widget: string) => (widget + widget).replaceAll('async', '')],
	])('shows one widget: %s', async (_, snippet) => {
		for (const place of spreadOf(places, 2)) {
			const visit = await visitSite({ place, snippet });
			expect(await visit.page.locator('call-back-widget').count()).toBe(1);
			await call(visit);
			expect(visit.api.seen('call')).toHaveLength(1);
		}
	});
});

describe('the next page, which has another widget,', () => {
	const other = (widget: string, at: string) =>
		at === '' ? widget : widget.replace('async', 'async data-greeting="Questions?" data-reference="order-2"');
	const site = { place: 'body', head: TURBO, snippet: other } as const;

	it('shows its own widget, and so does the previous page when the visitor returns to it', async () => {
		const visit = await visitSite(site);
		await visit.go('link', 'Next', 1);
		await visit.page.locator('call-back-widget[reference=order-2]').waitFor({ state: 'attached' });
		await visit.open();
		await visit.page.getByRole('heading', { name: 'Questions?' }).waitFor();
		await visit.go('back', 'Acme', 1);
		await visit.page.locator('call-back-widget:not([reference])').waitFor({ state: 'attached' });
		expect(await visit.frames()).toEqual(ONE);
	});

	it('keeps the widget of a live call until it has ended', async () => {
		const visit = await visitSite(site);
		await call(visit);
		await visit.go('link', 'Next', 1);
		expect(await visit.page.locator('call-back-widget[reference]').count()).toBe(0);
		visit.api.script.status = 'completed';
		await visit.reach('completed');
		expect(await visit.frames()).toEqual(ONE);
	});

	it('shows its widget in its own language', async () => {
		const visit = await visitSite({ place: 'head', head: TURBO, root: (at) => `lang="${at ? 'de' : 'en'}"` });
		await visit.go('link', 'Next');
		await visit.launcher.filter({ hasText: 'Rückruf' }).waitFor();
		// When going back, Turbo does not change the language of the page.
		await visit.go('link', 'Acme');
		await visit.launcher.filter({ hasText: 'Call me back' }).waitFor();
	});
});

describe('a page that removes the widget', () => {
	it('stays without the widget, and a widget element that the page itself added and removed stays removed', async () => {
		const visit = await visitSite({ place: 'head', head: TURBO });
		await visit.page.evaluate(`document.querySelector('call-back-widget').remove()`);
		await visit.go('link', 'Next');
		expect(await visit.page.locator('call-back-widget').count()).toBe(0);
		await visit.page.evaluate(`document.body.append(document.createElement('call-back-widget'))`);
		await visit.page.evaluate('document.body.replaceChildren()');
		expect(await visit.page.locator('call-back-widget').count()).toBe(0);
	});

	it('may remove the widget again and again, until the widget no longer comes back', async () => {
		const visit = await visitSite({ place: 'head' });
		await visit.page.evaluate(`globalThis.removals = 0; new MutationObserver(() => {
			const widget = document.querySelector('call-back-widget');
			if (widget) { removals++; widget.parentNode.removeChild(widget); }
		}).observe(document.body, { childList: true }); document.body.append('')`);
		await soon(async () => Number(await visit.page.evaluate('removals')) > 10);
		await visit.page.evaluate('new Promise((drawn) => requestAnimationFrame(drawn))');
		expect(await visit.page.locator('call-back-widget').count()).toBe(0);
	});
});

it('a page that was saved with its widget shows only one widget', async () => {
	const saved = '<call-back-widget workspace-key="wk" embedded=""></call-back-widget>';
	for (const place of spreadOf(places, 2)) {
		const visit = await visitSite({ place, snippet: (widget) => saved + widget });
		expect(await visit.page.locator('call-back-widget').count()).toBe(1);
		await call(visit);
	}
});

it('a widget that is removed before its panel has arrived sends no request to the service', async () => {
	const visit = await visitSite({ place: 'head' });
	await call(visit);
	await visit.page.reload();
	await visit.status.waitFor();
	await visit.page.evaluate(`(() => {
		const widget = document.querySelector('call-back-widget');
		const copy = widget.cloneNode();
		copy.removeAttribute('embedded');
		widget.remove();
		document.body.append(copy);
		copy.remove();
	})()`);
	const polls = visit.api.seen('status').length;
	await visit.page.evaluate('new Promise((done) => setTimeout(done, 300))');
	expect(visit.api.seen('status')).toHaveLength(polls);
});
