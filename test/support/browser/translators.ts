import type { Page } from 'playwright-core';

/**
 * How a translator of pages changes one text: as Chrome's, which wraps the text in two `font` elements; Firefox's, which
 * changes the data of the node; Safari's, which puts in another node; one that shows both languages; and one that also wraps
 * the element's other children, and moves them, as Firefox's does for the word order of another language.
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

/** What is marked `translate=no`, and what has no word in it, is left alone. */
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
 * Translates the widget on the page: puts each text between guillemets, now and whenever it changes, in these ways by turns.
 * `changes` of the page then has the texts that the widget has set itself.
 */
export async function translate(page: Page, ...by: readonly Way[]): Promise<void> {
	await page.evaluate(`(${TRANSLATE})(${by.map((way) => WAYS[way]).join(',')})`);
}
