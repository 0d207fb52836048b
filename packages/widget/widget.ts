import { CallBackWidget } from './call-back-widget.ts';
import { script } from './script.ts';

const TAG = 'call-back-widget';
if (!customElements.get(TAG)) customElements.define(TAG, CallBackWidget);

/** The one-line embed: `<script src=".../widget.js" data-workspace-key="..." async>` puts a floating widget on the page. */
function embed(): void {
	const widget = document.createElement(TAG);
	const names = [
		'workspace-key',
		'base-url',
		'lang',
		'theme',
		'accent',
		'logo',
		'greeting',
		'avatar',
		'when-closed',
		'reference',
	];
	for (const name of names) {
		const value = script?.getAttribute(`data-${name}`);
		if (value) widget.setAttribute(name, value);
	}
	document.body.append(widget);
}

if (script?.hasAttribute('data-workspace-key')) {
	if (document.body) embed();
	else addEventListener('DOMContentLoaded', embed);
}
