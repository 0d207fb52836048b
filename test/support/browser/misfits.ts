import type { Page } from 'playwright-core';

/** The widths at which every page is tested: a small phone, a phone, a tablet, a laptop and a desktop. */
const WIDTHS = [320, 390, 768, 1280, 1440] as const;

/**
 * A script for the page. In the document and the widget, it looks for text that overflows its box at the side or is cut off
 * without an ellipsis, for a label whose word breaks at a place without a hyphen, and for a select that is too narrow for one
 * of its options. A number (`.number`) may not even be cut off with an ellipsis, because only its last digits say whose it is. It
 * also reports a page that scrolls sideways.
 */
const FIND = `(() => {
	const found = [];
	const pen = document.createElement('canvas').getContext('2d');
	const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
	const shown = roots.flatMap((root) => [...root.querySelectorAll('body, body *, [part]')])
		.filter((e) => e.checkVisibility({ visibilityProperty: true }) && getComputedStyle(e).clipPath !== 'inset(50%)');
	const name = (e) => e.localName + (e.id && '#' + e.id) + ' ' + JSON.stringify(e.textContent.trim().slice(0, 40));
	const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
	if (wide > 0) found.push('the page scrolls ' + wide + ' px to the side');
	for (const e of shown) {
		const { textOverflow } = getComputedStyle(e);
		if (e.matches('.number') && e.scrollWidth > e.clientWidth + 1) found.push('cut off: ' + name(e));
		if (e.localName === 'select') {
			const { font, paddingLeft, paddingRight } = getComputedStyle(e);
			pen.font = font;
			const room = e.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
			const cut = Math.max(...[...e.options].map(({ text }) => pen.measureText(text).width)) - room;
			if (cut > 1) found.push('cut off: ' + name(e) + ' by ' + Math.ceil(cut));
			continue;
		}
		for (const text of e.childNodes) {
			if (text.nodeType !== Node.TEXT_NODE || !text.data.trim() || textOverflow === 'ellipsis') continue;
			const range = document.createRange();
			for (const { 0: word, index } of e.matches('dt, th, label, button, legend, summary, nav a, nav a span') ? text.data.matchAll(/[^\\s-]{1,20}(?![^\\s-])/g) : []) {
				range.setStart(text, index);
				range.setEnd(text, index + word.length);
				if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push('split: ' + word + ' in ' + name(e));
			}
			range.selectNodeContents(text);
			const { left, right, width } = range.getBoundingClientRect();
			for (let box = e; width && box && box !== document.body; box = box.parentElement) {
				const style = getComputedStyle(box);
				if (/auto|scroll/.test(style.overflowX) || style.position === 'fixed') break;
				// This box ends its text with an ellipsis if the text is too long, even the text of an element inside the line.
				if (style.textOverflow === 'ellipsis' && style.overflowX === 'hidden') break;
				// What a box clips away is in no one's way.
				if (style.clipPath === 'inset(50%)') break;
				if (style.display === 'inline' || style.display === 'contents') continue;
				const edge = box.getBoundingClientRect();
				// A box that is laid over the page may stick out of the boxes around it, so these are not checked.
				if (left >= edge.left - 1 && right <= edge.right + 1 && style.position === 'absolute') break;
				if (left >= edge.left - 1 && right <= edge.right + 1) continue;
				found.push('sticks out of ' + box.localName + '.' + box.className + ': ' + name(e));
				break;
			}
		}
	}
	return [...new Set(found)];
})()`;

/** The layout faults of the page and its frames at the current width. */
export async function misfitsNow(page: Page): Promise<string[]> {
	const found: string[] = [];
	// A hidden frame is not loaded and would never answer.
	for (const frame of page.frames().filter((each) => each.url() !== '')) {
		const here: string[] = await frame.evaluate(FIND);
		found.push(...here);
	}
	return found;
}

/**
 * Resolves after the page was drawn at its current size. Resize observers run just before a frame is drawn, so this waits for two
 * frames.
 */
const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

/** The layout faults at each of these widths. Each result starts with the width. */
export async function misfits(page: Page, widths: readonly number[] = WIDTHS): Promise<string[]> {
	const found: string[] = [];
	for (const width of widths) {
		await page.setViewportSize({ width, height: 844 });
		await page.evaluate(DRAWN);
		found.push(...(await misfitsNow(page)).map((misfit) => `${width} px: ${misfit}`));
	}
	return found;
}
