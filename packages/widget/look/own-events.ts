/** Events of typing, of pasting and of the focus. */
const TYPES = ['keydown', 'keypress', 'keyup', 'beforeinput', 'paste', 'copy', 'cut', 'focusin', 'focusout'];

/**
 * Keeps the panel's events away from the page until `signal` aborts. There are two reasons. A library for shortcuts sees only
 * the host, which is no text field, so it would take typed letters for shortcuts. A focus trap of the page would take the focus
 * back. Escape calls `onEscape`.
 */
export function keepEvents(host: HTMLElement, launcher: HTMLElement, onEscape: () => void, signal: AbortSignal): void {
	function keep(event: Event): void {
		const path = event.composedPath();
		if (!path.includes(host) || path[0] === launcher) return;
		event.stopImmediatePropagation();
		if (!(event instanceof KeyboardEvent) || event.type !== 'keydown' || event.key !== 'Escape') return;
		// Keeps Escape from also closing a dialog of the page.
		onEscape();
		event.preventDefault();
	}
	for (const type of TYPES) addEventListener(type, keep, { capture: true, signal });
}
