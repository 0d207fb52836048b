import { isWebKit } from './webkit.ts';

/** A visitor whose click is older than this is doing something else. */
const MOST_AGE_MS = 15_000;
const OPENER = '[data-callback-open]';

const buttonAt = (node: unknown): Element | null => (node instanceof Element ? node.closest(OPENER) : null);

/**
 * Calls `open` with the element if the visitor clicked one that opens the widget while this script was still loading. The browser
 * reports a page's first click. A later one is recognised by focus without a focus ring, which only the keyboard shows.
 */
export function openAfterEarlyClick(open: (opener: Element) => void): void {
	const now = performance.now();
	const focused = document.activeElement;
	const clicked =
		(!focused?.matches(':focus-visible') && buttonAt(focused)) ||
		// WebKit neither reports the first click nor focuses a clicked button, but knows that there was a click just now.
		(isWebKit() && navigator.userActivation.isActive && document.querySelector(`${OPENER}:hover`));
	if (clicked) {
		open(clicked);
		return;
	}
	const observer = new PerformanceObserver((list) => {
		observer.disconnect();
		for (const entry of list.getEntries()) {
			const opener = 'target' in entry && buttonAt(entry.target);
			const age = now - entry.startTime;
			if (/^(pointer|mouse|click)/.test(entry.name) && age > 0 && age < MOST_AGE_MS && opener) open(opener);
		}
	});
	observer.observe({ type: 'first-input', buffered: true });
}
