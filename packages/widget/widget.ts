import { CallBackWidget } from './call-back-widget.ts';
import { embed } from './embed.ts';
import { script } from './script.ts';
import { guard, tell } from './tell.ts';

const TAG = 'call-back-widget';
/**
 * A page may add the element by a script of its own. After this time, a page that still has no element is reported as a
 * mistake.
 */
const LATE_MS = 10_000;

if (!customElements.get(TAG)) customElements.define(TAG, CallBackWidget);

const tag = script;
if (tag) {
	const place = () => guard(() => embed(tag));
	// Wait until the document is parsed. Until then, an additional element could disturb a framework that hydrates the page.
	if (document.readyState === 'loading') addEventListener('DOMContentLoaded', place);
	else place();
} else {
	setTimeout(() => {
		if (!document.querySelector(TAG))
			tell(
				'the script sees no tag with data-workspace-key, and there is no <call-back-widget> on the page: write the element',
			);
	}, LATE_MS);
}
