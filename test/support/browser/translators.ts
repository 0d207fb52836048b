import type { Page } from 'playwright-core';

/**
 * How translators change one text of a page. `wraps`: Chrome's translator wraps the text in two `font` elements. `rewrites`:
 * Firefox's translator changes the data of the text node. `replaces`: Safari's translator puts a new node in its place.
 * `doubles`: a translator shows both languages. `reorders`: a translator also wraps the element's other children and moves them,
 * as Firefox's does when the other language has another word order.
 */
const WAYS = {
	wraps: `(node, text) => {
		const fonts = [document.createElement('font'), document.createElement('font')];
		fonts[0].append(fonts[1]);
		node.replaceWith(fonts[0]);
		fonts[1].append(text);
	}`,
	rewrites: `(node, text) => { node.data = text.data }`,
	replaces: `(node, text) => node.replaceWith(text)`,
	doubles: `(node, text) => {
		const font = document.createElement('font');
		font.append(text);
		node.after(font);
	}`,
	reorders: `(node, text) => {
		node.data = text.data;
		const around = node.parentElement.parentElement;
		if (around.localName === 'label') around.append(...[...around.childNodes].reverse());
	}`,
} as const;
export type Way = keyof typeof WAYS;
export const ways: readonly Way[] = ['wraps', 'rewrites', 'replaces', 'doubles', 'reorders'];

/** The script for `translate`. It leaves alone what is marked `translate=no`, and text without any word. */
const TRANSLATE = `(...ways) => {
	const root = document.querySelector('call-back-widget').shadowRoot;
	const known = new WeakMap();
	const changes = [];
	let turn = 0;
	const isKept = (node) => !!(node instanceof Element ? node : node.parentElement)?.closest('[translate=no]');
	function translateAll() {
		const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
		const found = [];
		while (walker.nextNode()) found.push(walker.currentNode);
		for (const node of found) {
			if (isKept(node) || known.get(node) === node.data || !/\\p{L}/u.test(node.data)) continue;
			const text = new Text('\\u00ab' + node.data + '\\u00bb');
			ways[turn++ % ways.length](node, text);
			for (const one of [node, text]) known.set(one, one.data);
		}
		observer.takeRecords();
	}
	const observer = new MutationObserver((records) => {
		changes.push(...records.flatMap(({ target }) => isKept(target) ? [] : target.textContent));
		translateAll();
	});
	observer.observe(root, { subtree: true, childList: true, characterData: true });
	Object.assign(document.documentElement, { lang: 'ja', className: 'translated-ltr' });
	for (const element of root.querySelectorAll('[aria-label]')) element.ariaLabel = '\\u00ab' + element.ariaLabel + '\\u00bb';
	globalThis.changes = changes;
	translateAll();
}`;

/**
 * Translates the widget on the page: puts each text between guillemets, at once and whenever the text changes. If `by` names
 * several ways, the texts take them in turn. The page's variable `changes` records the texts that the widget itself has set.
 */
export async function translate(page: Page, ...by: readonly Way[]): Promise<void> {
	await page.evaluate(`(${TRANSLATE})(${by.map((way) => WAYS[way]).join(',')})`);
}
