import { isShown } from './dom.ts';

/** Elements that may keep the focus inside themselves, or that close if a visitor clicks outside them. */
const MODAL = ':is(dialog,[role*=dialog],[aria-modal=true],:modal,:popover-open)';
/** How often the widget checks whether the dialog around it has been removed, in milliseconds. */
const LOOK_MS = 200;

/** The parent of an element as it is displayed, across slots and shadow roots. Null at the top of the document. */
function parentOf(element: Element): Element | null {
	const root = element.getRootNode();
	return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** The dialog around an element of the page, or else the dialog that is in front of the page. Null if there is none. */
function modalOf(opener: Element | null): Element | null {
	if (opener?.isConnected)
		for (let at: Element | null = opener; at; at = parentOf(at)) if (at.matches(MODAL)) return at;
	const modals = document.querySelectorAll(':is(:modal,[aria-modal=true])');
	return [...modals].reverse().find(isShown) ?? null;
}

/**
 * Moves `host` into the page's modal dialog while the panel is open, because everything outside the dialog is inert, hidden
 * from screen readers, or loses the focus to a focus trap. `host` returns to its place when the panel closes or the dialog is
 * removed.
 */
export function createShelter(host: HTMLElement, frame: HTMLElement) {
	const home = document.createComment('');
	let timer: ReturnType<typeof setInterval> | undefined;

	function leave(): boolean {
		clearInterval(timer);
		if (home.isConnected) home.replaceWith(host);
		return host.isConnected;
	}

	return {
		leave,
		enter(opener: Element | null): void {
			const modal =
				modalOf(frame.contains(opener) ? host : opener) ?? (host.closest('[inert]') && opener?.parentElement);
			if (!modal || modal === parentOf(host) || modal.contains(host)) return;
			if (!home.isConnected) host.before(home);
			host.inert = false;
			host.removeAttribute('aria-hidden');
			modal.append(host);
			clearInterval(timer);
			timer = setInterval(() => {
				if (!isShown(host) || frame.querySelector('section')?.hidden) leave();
			}, LOOK_MS);
		},
	};
}
