import { CallBackWidget } from './call-back-widget.ts';
import { embed } from './embed.ts';
import { script } from './script.ts';
import { guard, tell } from './tell.ts';

const TAG = 'call-back-widget';
/** After this time, a page that adds its element by script has done so. */
const LATE_MS = 10_000;

if (!customElements.get(TAG)) customElements.define(TAG, CallBackWidget);

const tag = script;
if (tag) {
	const place = () => guard(() => embed(tag));
	// While the document is still being parsed, a widget in it would disturb a framework that hydrates it.
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
