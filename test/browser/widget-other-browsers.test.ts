import { describe, expect, it } from '@jest/globals';
import { soon, suiteStage } from '../support/browser/stage.ts';

const stage = suiteStage();

// Each test removes from this browser a feature that some other browser lacks. If the widget's code cannot do without this
// feature, the code fails in this browser, too.
// `npm run lab -- browsers` runs the widget in the other browsers themselves.

/** Makes an unknown selector throw, except within `:is()`. */
const withoutSelector = (unknown: string) => `
	for (const holder of [Element, Document]) for (const name of ['matches', 'querySelector', 'querySelectorAll', 'closest']) {
		const known = holder.prototype[name];
		if (known) holder.prototype[name] = function (selector) {
			if (selector.replace(/:is\\(.*\\)/, '').includes('${unknown}')) throw new SyntaxError(selector);
			return known.call(this, selector);
		};
	}`;

/** Replaces the colour function in style sheets with a name that the browser does not know. */
const withoutColours = `
	const { replaceSync } = CSSStyleSheet.prototype;
	CSSStyleSheet.prototype.replaceSync = function (text) {
		replaceSync.call(this, text.replaceAll('light-dark(', 'unknown-colours('));
	};`;

const AS_WEBKIT = `Object.defineProperty(navigator, 'vendor', { value: 'Apple Computer, Inc.' });`;

const LACKING = {
	'constructable style sheets (Safari before 16.4)': `
		globalThis.CSSStyleSheet = class { constructor() { throw new TypeError('Illegal constructor'); } };`,
	'a list of style sheets that can grow (Chrome before 99)': `
		const { get } = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'adoptedStyleSheets')
			?? Object.getOwnPropertyDescriptor(DocumentOrShadowRoot.prototype, 'adoptedStyleSheets');
		Object.defineProperty(ShadowRoot.prototype, 'adoptedStyleSheets', { get: () => Object.freeze([]), set() {} });`,
	'the popover (Chrome before 114, Firefox before 125)': `
		for (const name of ['popover', 'togglePopover', 'showPopover', 'hidePopover']) delete HTMLElement.prototype[name];`,
	':popover-open': withoutSelector(':popover-open'),
	':modal': withoutSelector(':modal'),
	'checkVisibility (Safari before 17.4)': 'delete Element.prototype.checkVisibility;',
	'findLast (Firefox before 104)': 'delete Array.prototype.findLast;',
	'Object.hasOwn (Safari before 15.4)': 'delete Object.hasOwn;',
	'crypto.randomUUID (pages over http)': 'delete Crypto.prototype.randomUUID;',
	'properties for ARIA (Firefox before 119)': `
		for (const name of Object.getOwnPropertyNames(Element.prototype)) if (name.startsWith('aria')) delete Element.prototype[name];`,
	PerformanceObserver: 'delete globalThis.PerformanceObserver;',
	'Trusted Types': 'delete globalThis.trustedTypes;',
	'custom elements': 'delete globalThis.customElements;',
	'light-dark() (Safari before 17.5)': withoutColours,
} as const;

describe('a browser without', () => {
	it.each(Object.entries(LACKING))(
		'%s can request a call, or shows no button and leaves the page’s link to do its work',
		async (_, first) => {
			const { page, launcher, api, ...visit } = await stage.visit({
				first,
				body: '<a href="/contact" data-callback-open>Contact</a>',
			});
			await page.waitForLoadState();
			await page.evaluate('new Promise((go) => setTimeout(go))');
			if (await launcher.isVisible()) {
				await page.getByRole('link').click();
				await visit.phone.waitFor();
				await visit.send();
				await soon(() => api.seen('call').length === 1);
				await visit.reach('requested');
				expect(await visit.inside("root.querySelector('li[aria-current=step]')?.textContent")).toBe('Sent');
			} else {
				await page.getByRole('link').click();
				await page.waitForURL('**/contact');
			}
		},
	);

	it('light-dark() shows light colours and readable buttons, also if the page names an accent', async () => {
		const visit = await stage.visit({
			first: withoutColours,
			context: { colorScheme: 'dark' },
			embed: 'data-accent="#ffd400"',
		});
		await visit.open();
		const look = (selector: string) =>
			visit.inside(`((s) => [s.color, s.backgroundColor])(getComputedStyle(root.querySelector('${selector}')))`);
		expect(await look('form button')).toEqual(['rgb(255, 255, 255)', 'rgb(10, 108, 77)']);
		expect(await look('[part=launcher]')).toEqual(['rgb(255, 255, 255)', 'rgb(10, 108, 77)']);
		expect(await look('section')).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
	});
});

describe('WebKit, which ignores the integrity of a preload,', () => {
	const pinned = () => `integrity="${stage.manifest.integrity}" crossorigin="anonymous"`;
	/** Makes the server send the panel's file with an additional line. */
	const tampered = async (page: Awaited<ReturnType<typeof stage.visit>>['page']) =>
		page.route(new RegExp(stage.manifest.panel.file), async (route) => {
			const response = await route.fetch();
			await route.fulfill({ response, body: `globalThis.tampered = true;${await response.text()}` });
		});

	it.each([
		['without a policy', ''],
		['with Trusted Types', `; require-trusted-types-for 'script'`],
		[
			'with Trusted Types that allow our policy',
			`; require-trusted-types-for 'script'; trusted-types call-back-widget`,
		],
	])('loads the panel as a script with an integrity value, and refuses a changed panel: %s', async (_, types) => {
		const csp = ({ cdn, api }: { cdn: string; api: string }) => `script-src ${cdn}; connect-src ${api}${types}`;
		const visit = await stage.visit({ first: AS_WEBKIT, embed: pinned(), csp });
		await visit.launcher.waitFor();
		const asked = () => stage.cdn.asked.filter((name) => name.startsWith(stage.manifest.panel.file)).length;
		const before = asked();
		await visit.open();
		expect(asked()).toBe(before + 1);
		expect(await visit.page.locator('script[type=module][integrity]').count()).toBe(1);
		expect(await visit.page.evaluate('violations')).toEqual([]);

		const other = await stage.visit({ first: AS_WEBKIT, embed: pinned(), csp });
		await tampered(other.page);
		for (let tries = 1; tries <= 3; tries++) {
			await other.launcher.click();
			// The pointer that stays on the launcher may load the file once more before this is asked.
			await soon(async () => (await other.page.locator('script[type=module]').count()) >= tries);
			await other.launcher.filter({ hasText: 'No connection' }).waitFor();
		}
		expect(await other.page.evaluate('globalThis.tampered')).toBeUndefined();
		expect(await other.panel.count()).toBe(0);
	});

	it('loads the panel with a preload instead of a script if Trusted Types allow no policy', async () => {
		const visit = await stage.visit({
			first: AS_WEBKIT,
			csp: ({ cdn, api }) =>
				`script-src ${cdn}; connect-src ${api}; require-trusted-types-for 'script'; trusted-types 'none'`,
		});
		await visit.open();
		await visit.send();
		await visit.reach('requested');
	});

	it.each([
		['under the pointer opens it', '#talk', 1],
		['elsewhere opens nothing', '#cookies', 0],
	])('remembers a click while the script was loading: one %s', async (_, place, panels) => {
		const { promise, resolve: arrive } = Promise.withResolvers<void>();
		const body = '<button id="cookies">Accept</button><button id="talk" data-callback-open>Talk to us</button>';
		const visit = await stage.visit({
			body,
			// Imitates a browser that does not report the first click, and in which a click does not focus a button.
			first: `${AS_WEBKIT}
				PerformanceObserver.prototype.observe = () => {};
				addEventListener('mousedown', (event) => event.preventDefault(), true);`,
		});
		await visit.page.route('**/widget.js', async (route) => {
			await promise;
			await route.continue();
		});
		await visit.page.goto(visit.url, { waitUntil: 'commit' });
		await visit.page.locator(place).click();
		arrive();
		if (panels > 0) await visit.phone.waitFor();
		else await visit.launcher.waitFor();
		await visit.page.evaluate('new Promise((go) => requestAnimationFrame(() => setTimeout(go)))');
		expect(await visit.panel.count()).toBe(panels);
	});
});

describe('Firefox, which reports a refused preload as loaded without a status,', () => {
	it('shows a message that names the origin as the cause, not an added header', async () => {
		const { api, page, pass, ...visitor } = await stage.visit({
			clock: true,
			first: `
				Object.defineProperty(HTMLLinkElement.prototype, 'onerror', {
					set() { this.addEventListener('error', () => this.onload()); },
				});
				performance.getEntriesByName = () => [{ responseStatus: 0 }];`,
		});
		api.script.origins = ['https://acme.example'];
		await visitor.launcher.waitFor();
		await visitor.launcher.click();
		await visitor.passUntil(() => visitor.said.length > 0);
		expect(visitor.said).toEqual([expect.stringMatching(/does not allow pages of http:\/\/localhost/)]);
	});
});

describe('initials', () => {
	it.each([
		['lang="en"', 'هدى القاهرة'],
		['lang="ar" dir="rtl"', 'Ida Wells'],
	])('stand beside the name also on a page with %s: %s', async (root, name) => {
		const visit = await stage.visit({ root, embed: `data-avatar="${name}"` });
		await visit.open();
		const gap = await visit.inside<number>(`(() => {
			const range = document.createRange();
			range.selectNodeContents(root.querySelector('[part=name]'));
			const [text, face] = [range, root.querySelector('[part=avatar]')].map((box) => box.getBoundingClientRect());
			return Math.max(text.left - face.right, face.left - text.right);
		})()`);
		expect(Math.round(gap)).toBe(12);
	});
});
