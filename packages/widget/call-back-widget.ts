import { awaitOpening } from './away.ts';
import { openAfterEarlyClick } from './early-click.ts';
import { loadPanel, preloadPanel } from './load-panel.ts';
import { createLauncher, type Launcher } from './look/launcher.ts';
import { keepEvents } from './look/own-events.ts';
import { createShelter } from './look/shelter.ts';
import type { Panel } from './panel.ts';
import { remembersCall } from './request/memory.ts';

/** The focused element, also within other components. */
function focusedElement(): Element | null {
	let focus = document.activeElement;
	while (focus?.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
	return focus;
}

/** What the embed code asked for, and how it puts its widget back when the page's framework has replaced the body. */
type Embedding = { readonly request: string; readonly restore: (widget: CallBackWidget) => void };

/**
 * `<call-back-widget workspace-key base-url lang theme accent logo greeting avatar when-closed reference inline>`: a visitor
 * enters a number and gets a call. A page loads only the launcher; the panel is fetched when a visitor opens it, or at once
 * with `inline`.
 */
export class CallBackWidget extends HTMLElement {
	#launcher: Launcher | null = null;
	#shelter: ReturnType<typeof createShelter> | null = null;
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
		const launcher = this.#launcher ?? createLauncher(this, () => this.open(), preloadPanel);
		this.#launcher = launcher;
		this.#shelter ??= createShelter(this, launcher.frame);
		this.#presence = new AbortController();
		const { signal } = this.#presence;
		keepEvents(this, launcher.button, () => this.close(), signal);
		document.addEventListener('click', (event) => this.#openAt(event), { signal });
		if (launcher.button.hasAttribute('away')) void awaitOpening(launcher, signal);
		if (this.#panel) this.#follow(this.#panel);
		else if (this.hasAttribute('inline') || remembersCall(this)) void this.#load(launcher).catch(() => {});
		if (isNew) openAfterEarlyClick(() => this.open());
	}

	disconnectedCallback(): void {
		this.#presence.abort();
		queueMicrotask(() => this.isConnected || this.#shelter?.leave() || this.embedding?.restore(this));
	}

	/** For shortcut libraries that look at the focused element: in the panel, it is a field of text. */
	override get isContentEditable(): boolean {
		return !!this.#launcher?.root.activeElement?.matches('input,select');
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
		this.#openFrom(focusedElement());
	}

	/** Opens the panel if the visitor clicked an element of the page for it. */
	#openAt(event: Event): void {
		const button = event.target instanceof Element && event.target.closest('[data-callback-open]');
		if (!button) return;
		event.preventDefault();
		// Some browsers do not focus a button that is clicked.
		this.#openFrom(button);
	}

	#openFrom(opener: Element | null): void {
		const launcher = this.#launcher;
		if (!launcher || !this.isConnected) return;
		this.#shelter?.enter(opener);
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
