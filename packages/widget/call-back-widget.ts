import { ATTRIBUTES, isBusy } from './attributes.ts';
import { awaitOpening } from './away.ts';
import { openAfterEarlyClick } from './early-click.ts';
import { loaderOf, loadPanel, preloadPanel } from './load-panel.ts';
import { createLauncher, type Launcher } from './look/launcher.ts';
import { keepEvents } from './look/own-events.ts';
import type { Panel } from './panel-parts.ts';
import { guard, tellFailure } from './tell.ts';

/** Attributes that are read when they are used; a change of the others builds the widget again. */
const LIVE = ['theme', 'reference', 'greeting'];

/** The focused element, also within other components. */
function focusedElement(): Element | null {
	let focus = document.activeElement;
	while (focus?.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
	return focus;
}

/**
 * `request`: what the embed code asked for. `restore`: puts the widget back after the page's framework has replaced the
 * body.
 */
type Embedding = { readonly request: string; readonly restore: (widget: CallBackWidget) => void };

/** Its promise is the language's own, whatever the page does to `Promise`. */
const microtask = async (): Promise<void> => undefined;

/**
 * `<call-back-widget workspace-key base-url script-url lang theme accent logo greeting avatar when-closed reference inline>`: a
 * visitor enters a number and gets a call. A page loads only the launcher; the panel is fetched when a visitor opens it, or at
 * once with `inline`.
 */
export class CallBackWidget extends HTMLElement {
	static readonly observedAttributes = [...ATTRIBUTES, 'inline'];
	#launcher: Launcher | null = null;
	#loading: Promise<Panel> | null = null;
	#panel: Panel | null = null;
	/** Null while the element is not on the page. */
	#presence: AbortController | null = null;
	/** Whether an attribute has changed that the widget does not show yet. */
	#isStale = false;
	/** Null for an element of the page's own. */
	embedding: Embedding | null = null;

	async connectedCallback(): Promise<void> {
		// Frameworks add an element first and set its attributes then.
		await microtask();
		guard(() => this.#appear());
	}

	#appear(): void {
		if (!this.isConnected || this.#presence) return;
		// A copy that a framework restored with its page. The embed code puts the original back.
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
		// In the capture phase, before a listener of the page can stop the event.
		addEventListener('click', (event) => guard(() => this.#openAt(event)), { capture: true, signal });
		if (launcher.button.hasAttribute('away')) for (const key of launcher.keys) void awaitOpening(launcher, key, signal);
		if (this.#panel) this.#panel.connect(signal);
		else if (this.hasAttribute('inline')) this.#load(launcher).catch(tellFailure);
		this.#recall(launcher);
		// Another page of this tab may have requested a call since the browser kept this one, or built it in advance.
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
	 * Builds the widget again with its current attributes, and keeps what the visitor typed. Does nothing during a call.
	 */
	async #renew(launcher: Launcher | null): Promise<void> {
		// A panel that is still loading would otherwise be added after the new one.
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
	 * Shortcut libraries ignore keys while the focused element is editable. They see only this host, not the field in it.
	 */
	override get isContentEditable(): boolean {
		return !!this.#launcher?.root.activeElement?.matches('input,select');
	}

	/** Removes the widget for good, also the one of the embed code. */
	override remove(): void {
		this.embedding = null;
		this.removeAttribute('embedded');
		super.remove();
	}

	/**
	 * Shows the panel and moves the focus into it. `reference`: the page's own name for what the call is about; `workspace_key`: the
	 * one of several that the visitor gets without choosing.
	 */
	open({ reference, workspace_key }: { readonly reference?: string; readonly workspace_key?: string } = {}): void {
		if (reference !== undefined) this.setAttribute('reference', reference);
		guard(() => this.#appear());
		void this.#openFrom(focusedElement(), workspace_key);
	}

	/** Opens the panel if the visitor clicked an element of the page for it, also one in a component. */
	#openAt(event: Event): void {
		const button = event.composedPath().find((at) => at instanceof Element && at.matches('[data-callback-open]'));
		if (!(button instanceof Element)) return;
		event.preventDefault();
		// After the page's own listeners, which may close the dialog of the button. Some browsers do not focus a clicked
		// button.
		setTimeout(() => void this.#openFrom(button));
	}

	async #openFrom(opener: Element | null, workspaceKey?: string): Promise<void> {
		const launcher = this.#launcher;
		if (!launcher || !this.isConnected) return;
		launcher.button.setAttribute('aria-busy', 'true');
		try {
			const panel = await this.#load(launcher);
			if (panel === this.#panel) panel.open(opener, workspaceKey);
			// The page has changed an attribute meanwhile.
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

	/** Loads the panel and builds it once; after a failure, the next call tries again. */
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
