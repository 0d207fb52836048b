import { isWebKit } from './webkit.ts';

/** If the visitor's click is older than this, the visitor is doing something else by now. */
const MOST_AGE_MS = 15_000;
const OPENER = '[data-callback-open]';

const buttonAt = (node: unknown): Element | null => (node instanceof Element ? node.closest(OPENER) : null);

/**
 * The visitor may have clicked an element that opens the widget (`OPENER`) before this script had loaded. If so, calls `open`
 * with this element. The browser reports only the first click on a page. A later click is recognised by its effect: the element
 * has the focus, but no focus ring, which only the keyboard shows.
 */
export function openAfterEarlyClick(open: (opener: Element) => void): void {
	const now = performance.now();
	const focused = document.activeElement;
	const clicked =
		(!focused?.matches(':focus-visible') && buttonAt(focused)) ||
		// WebKit does not report the first click, and does not move the focus to a button that is clicked. But it knows that
		// there was a click just now.
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
