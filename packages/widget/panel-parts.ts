import type { createShelter } from './look/shelter.ts';
import type { Texts } from './words.ts';

export type Panel = {
	/** Shows the panel; the focus returns to `from` when it closes. `workspaceKey`: of several, the one that the page wants. */
	open(from: Element | null, workspaceKey?: string): void;
	close(): void;
	/** Takes the panel out of the page's dialog that it was opened in. Returns whether its place is still on the page. */
	leaveModal(): boolean;
	/** Follows the call that this tab has requested, or no longer does. */
	recall(): void;
	/** Follows the page's lifecycle until `signal` aborts, when the widget is removed. */
	connect(signal: AbortSignal): void;
};

/** Shared by the panels of all workspaces. */
export type Shared = { readonly texts: Texts; readonly shelter: ReturnType<typeof createShelter> };
