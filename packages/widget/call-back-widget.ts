import { ATTRIBUTES, isBusy } from './attributes.ts';
import { awaitOpening } from './away.ts';
import { openAfterEarlyClick } from './early-click.ts';
import { loaderOf, loadPanel, preloadPanel } from './load-panel.ts';
import { createLauncher, type Launcher } from './look/launcher.ts';
import { keepEvents } from './look/own-events.ts';
import type { Panel } from './panel-parts.ts';
import { guard, tellFailure } from './tell.ts';

/** Attributes that are read when they are needed. If another attribute changes, the widget is built again. */
const LIVE = ['theme', 'reference', 'greeting'];

/** The element that has the focus, even if it is inside other components. Null if no element has the focus. */
function focusedElement(): Element | null {
	let focus = document.activeElement;
	while (focus?.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
	return focus;
}

/**
 * `request`: the language and the attributes that the embed code asked for, as one text. `restore`: puts the widget back if the
 * page's framework has replaced the body.
 */
type Embedding = { readonly request: string; readonly restore: (widget: CallBackWidget) => void };

/**
 * Resolves in the next microtask. This is an async function, because such a function returns the browser's own promise even if
 * the page has replaced `Promise`.
 */
const microtask = async (): Promise<void> => undefined;

/**
 * `<call-back-widget workspace-key base-url script-url lang theme accent logo greeting avatar when-closed reference
 * inline>`: a visitor enters a number and gets a call. A page first loads only the launcher. The panel is loaded when a
 * visitor opens it, or at once with `inline`.
 */
export class CallBackWidget extends HTMLElement {
	static readonly observedAttributes = [...ATTRIBUTES, 'inline'];
	#launcher: Launcher | null = null;
	#loading: Promise<Panel> | null = null;
	#panel: Panel | null = null;
	/** Null while the element is not on the page. */
	#presence: AbortController | null = null;
	/** Whether an attribute has changed and the widget does not show the change yet. */
	#isStale = false;
	/** Null if the page has added the element itself, without the embed code. */
	embedding: Embedding | null = null;

	async connectedCallback(): Promise<void> {
		// Frameworks first add an element and then set its attributes.
		await microtask();
		guard(() => this.#appear());
	}

	#appear(): void {
		if (!this.isConnected || this.#presence) return;
		// A framework has restored its page with a copy of the widget. The embed code puts the original back.
		if (this.hasAttribute('embedded') && !this.embedding) {
			this.remove();
			return;
		}
		const isNew = !this.#launcher;
		this.#launcher ??= createLauncher(this, () => this.open(), preloadPanel);
		const launcher = this.#launcher;
		this.#presence = new AbortController();
		const { signal } = this.#presence;
		launcher.raise();
		keepEvents(this, launcher.button, () => this.close(), signal);
		// Listen in the capture phase, so that no listener of the page can stop the event first.
		addEventListener('click', (event) => guard(() => this.#openAt(event)), { capture: true, signal });
		if (launcher.button.hasAttribute('away')) for (const key of launcher.keys) void awaitOpening(launcher, key, signal);
		if (this.#panel) this.#panel.connect(signal);
		else if (this.hasAttribute('inline')) this.#load(launcher).catch(tellFailure);
		this.#recall(launcher);
		// The browser may have kept this page, or built it in advance. Since then, another page of this tab may have requested
		// a call.
		for (const type of ['pageshow', 'prerenderingchange'])
			addEventListener(type, () => this.#recall(launcher), { capture: true, signal });
		if (isNew) openAfterEarlyClick((opener) => void this.#openFrom(opener));
	}

	/** Shows the call that this tab has requested. */
	#recall(launcher: Launcher): void {
		if (this.#panel) this.#panel.recall();
		else if (launcher.keys.some((key) => launcher.memoryOf(key).read())) this.#load(launcher).catch(tellFailure);
	}

	async disconnectedCallback(): Promise<void> {
		this.#disappear();
		await microtask();
		guard(() => this.isConnected || this.#panel?.leaveModal() || this.embedding?.restore(this));
	}

	#disappear(): void {
		this.#presence?.abort();
		this.#presence = null;
	}

	attributeChangedCallback(name: string, before: string | null, after: string | null): void {
		if (before === after || !this.#launcher || LIVE.includes(name) || this.#isStale) return;
		this.#isStale = true;
		void this.#renew(this.#launcher).catch(tellFailure);
	}

	/**
	 * Builds the widget again with its present attributes, and keeps what the visitor has typed. Does nothing during a call.
	 */
	async #renew(launcher: Launcher | null): Promise<void> {
		// Wait for a panel that is still loading. Otherwise that panel would be added after the new panel.
		await this.#loading?.catch(() => {});
		this.#isStale = false;
		if (!launcher || isBusy(this)) return;
		const isOpen = !!launcher.frame.querySelector('section:not([hidden])');
		this.#disappear();
		this.#loading = this.#panel = null;
		launcher.read();
		this.#appear();
		if (isOpen) await this.#openFrom(null);
	}

	/**
	 * True while a field of the widget has the focus. Libraries for shortcuts ignore keys if the focused element is editable,
	 * but they see only this host and not the field in it.
	 */
	override get isContentEditable(): boolean {
		return !!this.#launcher?.root.activeElement?.matches('input,select');
	}

	/** Removes the widget permanently. If the embed code has placed the widget, the embed code does not put it back. */
	override remove(): void {
		this.embedding = null;
		this.removeAttribute('embedded');
		super.remove();
	}

	/**
	 * Shows the panel and moves the focus into it. `reference`: what the call is about, in words of the page. `workspace_key`:
	 * opens the panel of this workspace at once. Otherwise, if the page has several workspaces, the visitor chooses one.
	 */
	open({ reference, workspace_key }: { readonly reference?: string; readonly workspace_key?: string } = {}): void {
		if (reference !== undefined) this.setAttribute('reference', reference);
		guard(() => this.#appear());
		void this.#openFrom(focusedElement(), workspace_key);
	}

	/** Opens the panel if the visitor clicked an element of the page that opens it. The element may be inside a component. */
	#openAt(event: Event): void {
		const button = event.composedPath().find((at) => at instanceof Element && at.matches('[data-callback-open]'));
		if (!(button instanceof Element)) return;
		event.preventDefault();
		// Open only after the page's own listeners have run, because they may close the dialog that contains the button. The
		// button is passed on, because some browsers do not move the focus to a button that is clicked.
		setTimeout(() => void this.#openFrom(button));
	}

	async #openFrom(opener: Element | null, workspaceKey?: string): Promise<void> {
		const launcher = this.#launcher;
		if (!launcher || !this.isConnected) return;
		launcher.button.setAttribute('aria-busy', 'true');
		try {
			const panel = await this.#load(launcher);
			if (panel === this.#panel) panel.open(opener, workspaceKey);
			// The page changed an attribute while this panel was being built, so the panel is out of date. Build another panel
			// and open that one.
			else void this.#openFrom(opener, workspaceKey);
		} catch (failure) {
			launcher.fail();
			tellFailure(failure);
		}
		launcher.button.removeAttribute('aria-busy');
	}

	/** Hides the panel and returns the focus. A live call continues. */
	close(): void {
		this.#loading?.then((panel) => panel.close()).catch(() => {});
	}

	/** Loads the panel and builds it once. After a failure, the next call tries again. */
	#load(launcher: Launcher): Promise<Panel> {
		this.#loading ??= this.#build(launcher);
		return this.#loading;
	}

	async #build(launcher: Launcher): Promise<Panel> {
		try {
			const { createPanel } = await loadPanel(launcher.scriptUrl);
			const panel = await createPanel(launcher, loaderOf);
			this.#panel = panel;
			if (this.#presence) panel.connect(this.#presence.signal);
			return panel;
		} catch (failure) {
			this.#loading = null;
			throw failure;
		}
	}
}
