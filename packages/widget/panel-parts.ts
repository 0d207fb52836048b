import type { createShelter } from './look/shelter.ts';
import type { Texts } from './words.ts';

export type Panel = {
	/**
	 * Shows the panel. When it closes, the focus returns to `from`. `workspaceKey`: the workspace that the page has chosen for
	 * the visitor, if the page has several workspaces.
	 */
	open(from: Element | null, workspaceKey?: string): void;
	close(): void;
	/**
	 * If the panel was opened in a dialog of the page, moves the widget back to its own place. Returns whether that place is
	 * still on the page.
	 */
	leaveModal(): boolean;
	/** Shows the call that this tab has requested. If the tab has no call any more, stops showing the last call. */
	recall(): void;
	/** Follows the events of the page until `signal` aborts, which happens when the widget is removed. */
	connect(signal: AbortSignal): void;
};

/** What the panels of all workspaces share. */
export type Shared = { readonly texts: Texts; readonly shelter: ReturnType<typeof createShelter> };
