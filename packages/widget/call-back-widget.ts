import { openAfterEarlyClick } from './early-click.ts';
import { loadPanel, preloadPanel } from './load-panel.ts';
import { createLauncher, type Launcher } from './look/launcher.ts';
import type { Panel } from './panel.ts';
import { awaitOpening } from './request/away.ts';
import { remembersCall } from './request/memory.ts';

/** Whether a click was on an element of the page that opens the widget; if so, prevents its default action. */
function asksToOpen(event: Event): boolean {
	const asks = event.target instanceof Element && !!event.target.closest('[data-callback-open]');
	if (asks) event.preventDefault();
	return asks;
}

/** What the embed code asked for, and how it puts its widget back when the page's framework has replaced the body. */
type Embedding = { readonly wish: string; readonly restore: (widget: CallBackWidget) => void };

/**
 * `<call-back-widget workspace-key base-url lang theme accent logo greeting avatar when-closed reference inline>`: a visitor
 * enters a number and gets a call. A page loads only the launcher; the panel is fetched when a visitor opens it, or at once
 * with `inline`.
 */
export class CallBackWidget extends HTMLElement {
	#launcher: Launcher | null = null;
	#panel: Promise<Panel> | null = null;
	#presence = new AbortController();
	/** Null for an element of the page's own. */
	embedding: Embedding | null = null;

	connectedCallback(): void {
		// A copy, which a framework restores with its page: the original is put back.
		if (this.hasAttribute('embedded') && !this.embedding) {
			queueMicrotask(() => this.remove());
			return;
		}
		// Attributes are read here: an element made by script has none when it is constructed.
		const isNew = !this.#launcher;
		this.#launcher ??= createLauncher(this, () => this.open(), preloadPanel);
		this.#presence = new AbortController();
		const { signal } = this.#presence;
		document.addEventListener('click', (event) => asksToOpen(event) && this.open(), { signal });
		if (this.#launcher.button.hasAttribute('away')) void awaitOpening(this.#launcher, signal);
		if (this.#panel) this.#follow(this.#panel);
		else if (this.hasAttribute('inline') || remembersCall(this)) void this.#load(this.#launcher).catch(() => {});
		if (isNew) openAfterEarlyClick(() => this.open());
	}

	disconnectedCallback(): void {
		this.#presence.abort();
		queueMicrotask(() => this.isConnected || this.embedding?.restore(this));
	}

	/** Removes the widget for good, also the one of the embed code. */
	override remove(): void {
		this.embedding = null;
		this.removeAttribute('embedded');
		super.remove();
	}

	/** Shows the panel and moves the focus into it. `reference`: the page's own name for what the call is about. */
	open({ reference }: { readonly reference?: string } = {}): void {
		if (reference !== undefined) this.setAttribute('reference', reference);
		const launcher = this.#launcher;
		if (!launcher || !this.isConnected) return;
		const opener = launcher.root.activeElement ?? document.activeElement;
		launcher.button.ariaBusy = 'true';
		this.#load(launcher)
			.then((panel) => panel.open(opener), launcher.fail)
			.finally(() => (launcher.button.ariaBusy = null));
	}

	/** Hides the panel and returns the focus. A live call continues. */
	close(): void {
		void this.#panel?.then((panel) => panel.close());
	}

	/** Loads the panel and builds it once; after a failure, the next call tries again. */
	#load(launcher: Launcher): Promise<Panel> {
		if (this.#panel) return this.#panel;
		const panel = loadPanel().then(({ createPanel }) => createPanel(launcher));
		this.#panel = panel;
		panel.catch(() => (this.#panel = null));
		this.#follow(panel);
		return panel;
	}

	/** Connects the panel to the page's lifecycle while the widget is on the page. */
	#follow(panel: Promise<Panel>): void {
		const { signal } = this.#presence;
		panel.then((built) => signal.aborted || built.connect(signal)).catch(() => {});
	}
}
