import { createLauncher, type Launcher } from './launcher.ts';
import { loadPanel, preloadPanel } from './load-panel.ts';
import type { Panel } from './panel.ts';
import { remembersCall } from './request/memory.ts';

/** Whether a click was on something of the page that opens the widget; if so, nothing else comes of it. */
function asksToOpen(event: Event): boolean {
	const asks = event.target instanceof Element && !!event.target.closest('[data-callback-open]');
	if (asks) event.preventDefault();
	return asks;
}

/**
 * `<call-back-widget workspace-key base-url lang theme accent logo greeting avatar inline>`: a visitor leaves a number and is called. A page loads
 * the launcher only; the panel is fetched when a visitor asks for it, or stands `inline`.
 */
export class CallBackWidget extends HTMLElement {
	#launcher: Launcher | null = null;
	#panel: Promise<Panel> | null = null;
	#presence = new AbortController();

	connectedCallback(): void {
		// Attributes are read here: an element made by script has none when it is constructed.
		this.#launcher ??= createLauncher(this, () => this.open(), preloadPanel);
		this.#presence = new AbortController();
		const { signal } = this.#presence;
		document.addEventListener('click', (event) => asksToOpen(event) && this.open(), { signal });
		if (this.#panel) this.#follow(this.#panel);
		else if (this.hasAttribute('inline') || remembersCall(this)) void this.#load(this.#launcher).catch(() => {});
	}

	disconnectedCallback(): void {
		this.#presence.abort();
	}

	/** Shows the panel and moves the focus into it. */
	open(): void {
		const launcher = this.#launcher;
		if (!launcher) return;
		const opener = launcher.root.activeElement ?? document.activeElement;
		this.#load(launcher).then((panel) => panel.open(opener), launcher.fail);
	}

	/** Hides the panel and gives the focus back. A call that is under way goes on. */
	close(): void {
		void this.#panel?.then((panel) => panel.close());
	}

	/** The panel, which is built once; what could not be loaded is tried again the next time. */
	#load(launcher: Launcher): Promise<Panel> {
		if (this.#panel) return this.#panel;
		const panel = loadPanel().then(({ createPanel }) => createPanel(launcher));
		this.#panel = panel;
		panel.catch(() => (this.#panel = null));
		this.#follow(panel);
		return panel;
	}

	/** The panel lives with the page while the widget is on it. */
	#follow(panel: Promise<Panel>): void {
		const { signal } = this.#presence;
		panel.then((built) => signal.aborted || built.connect(signal)).catch(() => {});
	}
}
