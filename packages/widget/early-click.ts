import { isWebKit } from './webkit.ts';

/** A visitor whose click is older than this is doing something else. */
const MOST_AGE_MS = 15_000;
const OPENER = '[data-callback-open]';

const buttonAt = (node: unknown): Element | null => (node instanceof Element ? node.closest(OPENER) : null);

/**
 * Calls `open` if the visitor clicked an element that opens the widget while this script was still loading. The browser
 * reports a page's first click. A later one is recognised by focus without a focus ring, which only the keyboard shows.
 */
export function openAfterEarlyClick(open: () => void): void {
	const now = performance.now();
	const focused = document.activeElement;
	const isFocused = buttonAt(focused) && !focused?.matches(':focus-visible');
	// WebKit neither reports the first click nor focuses a clicked button, but knows that there was a click just now.
	const isUnderPointer = isWebKit() && navigator.userActivation.isActive && document.querySelector(`${OPENER}:hover`);
	if (isFocused || isUnderPointer) {
		open();
		return;
	}
	const observer = new PerformanceObserver((list) => {
		observer.disconnect();
		for (const entry of list.getEntries()) {
			const target = 'target' in entry ? entry.target : null;
			const age = now - entry.startTime;
			if (/^(pointer|mouse|click)/.test(entry.name) && age > 0 && age < MOST_AGE_MS && buttonAt(target)) open();
		}
	});
	observer.observe({ type: 'first-input', buffered: true });
}
