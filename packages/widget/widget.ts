import { CallBackWidget } from './call-back-widget.ts';
import { embed } from './embed.ts';
import { script } from './script.ts';

const TAG = 'call-back-widget';
if (!customElements.get(TAG)) customElements.define(TAG, CallBackWidget);

const embeds = script?.hasAttribute('data-workspace-key') ? script : null;
if (embeds) {
	if (document.body) embed(embeds);
	else addEventListener('DOMContentLoaded', () => embed(embeds));
}
