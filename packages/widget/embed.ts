import { ATTRIBUTES, isBusy } from './attributes.ts';
import type { CallBackWidget } from './call-back-widget.ts';

/**
 * If a page removes the widget `MOST_REMOVALS` times in a row, each time less than `SOON_MS` after the widget was placed, the
 * embed code does not put it back again, because the page does not want the widget.
 */
const SOON_MS = 100;
const MOST_REMOVALS = 20;

/**
 * The one-line embed: `<script src=".../widget.js" data-workspace-key="..." async>` puts one floating widget on the page
 * and keeps it there. If a visitor follows a link or goes back, Turbo, htmx and others replace the body, and may run the
 * script again. The widget then moves to the new body, unless the new page's script or language asks for another widget.
 */
export function embed(script: Element): void {
	let removals = 0;
	let placedMs = 0;

	function create(): CallBackWidget {
		const widget = document.createElement('call-back-widget');
		// If the constructor throws, the browser reports the error and returns an element without our methods.
		if (!('open' in widget)) throw new TypeError('HTMLElement is replaced');
		let request = script.getAttribute('data-lang') || document.documentElement.lang;
		ATTRIBUTES.forEach((name) => {
			const value = script.getAttribute(`data-${name}`);
			if (value) widget.setAttribute(name, value);
			request += `,${value ?? ''}`;
		});
		widget.setAttribute('embedded', '');
		widget.embedding = { request, restore };
		return widget;
	}

	function place(current: CallBackWidget | null): void {
		let widget = create();
		if (current?.embedding && (isBusy(current) || current.embedding.request === widget.embedding?.request)) {
			current.embedding = { ...current.embedding, restore };
			widget = current;
		} else current?.remove();
		placedMs = Date.now();
		if (!widget.isConnected) document.body.append(widget);
	}

	function restore(widget: CallBackWidget): void {
		if (!document.body) {
			setTimeout(() => restore(widget), SOON_MS);
			return;
		}
		removals = Date.now() - placedMs < SOON_MS ? removals + 1 : 0;
		if (removals < MOST_REMOVALS) place(widget);
	}

	place(document.querySelector<CallBackWidget>('call-back-widget[embedded]'));
}
