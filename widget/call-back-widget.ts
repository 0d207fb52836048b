import type { WidgetRequest } from '../shared/contract/visitors/widget.ts';
import { type Config, createApi } from './api.ts';
import { atRest, type Errors, isClosed, type Model, moodOf, type State } from './model.ts';
import { readPhone } from './phone.ts';
import { scriptUrl } from './script.ts';
import { createSession } from './session.ts';
import { loadTexts } from './texts.ts';
import { createView, type View } from './view.ts';

const style = new CSSStyleSheet();
style.replaceSync(STYLE);

/** What was typed: a wish, or errors. */
type Filled =
	| { readonly wish: WidgetRequest; readonly errors?: undefined }
	| { readonly wish?: undefined; readonly errors: Errors };

/** The API's limit; a page's address may be longer. */
const PAGE_URL_LENGTH = 2048;

/** The visitor's wish, or what is wrong with the form, which gets the focus: nothing is sent without a number and consent. */
function readForm(workspace_key: string, { phone, name, consent }: View['inputs'], { regions }: Config): Filled {
	const number = readPhone(phone.value, regions);
	if (number && consent.checked) {
		const page_url = location.href.replace(/#.*/, '').slice(0, PAGE_URL_LENGTH);
		return { wish: { workspace_key, phone: number, name: name.value.trim() || null, consent: true, page_url } };
	}
	(number ? consent : phone).focus();
	return { errors: { phone: number ? null : 'phone_invalid', consent: consent.checked ? null : 'consent_required' } };
}

/** Whether a click was on something of the page that opens the widget; if so, nothing else comes of it. */
function asksToOpen(event: Event): boolean {
	const asks = event.target instanceof Element && !!event.target.closest('[data-callback-open]');
	if (asks) event.preventDefault();
	return asks;
}

/** Builds the widget in `host`, whose attributes count from then on. */
async function createController(host: HTMLElement) {
	const workspaceKey = host.getAttribute('workspace-key') ?? '';
	const inline = host.hasAttribute('inline');
	const root = host.attachShadow({ mode: 'open' });
	const texts = await loadTexts(host.lang || document.documentElement.lang, scriptUrl);
	const view = createView(texts, inline, { open, close, submit, again });
	const session = createSession(
		createApi(host.getAttribute('base-url') ?? `${scriptUrl.origin}/v1`, workspaceKey),
		show,
	);
	let opener: Element | null = null;
	let told: State = 'idle';

	function show(model: Model): void {
		const had = root.activeElement;
		view.show(model);
		// Focus on the panel (all that has a role) moves on to the form; what had it may be hidden; a bad number asks for it.
		const moves = had?.role || had?.checkVisibility() === false || (told === 'sending' && model.errors.phone);
		if (had && moves) view.focus(model);
		if (told === model.state) return;
		told = model.state;
		const detail = { state: told };
		host.dispatchEvent(new CustomEvent('callback:state', { detail, bubbles: true, composed: true }));
	}

	function open(): void {
		if (!session.model().open) {
			opener = root.activeElement ?? document.activeElement;
			session.change({ open: true });
			if (session.model().step === null) session.load();
		}
		view.focus(session.model());
	}

	function close(): void {
		const { open, state, config } = session.model();
		if (!open) return;
		session.change(moodOf(state) === 'live' ? { open: false } : atRest(false, config));
		// The launcher, unless what opened the panel still takes the focus.
		view.launcher.focus();
		if (opener instanceof HTMLElement) opener.focus();
	}

	/** Sends what was typed: a wish to be called now, or `later`. */
	function submit(later: boolean): void {
		const { config, state } = session.model();
		if (!config || state === 'sending') return;
		const { wish, errors } = readForm(workspaceKey, view.inputs, config);
		if (wish) session.send(wish, later || isClosed(config));
		else session.change({ errors });
	}

	function again(): void {
		const { open, config } = session.model();
		session.change(atRest(open, config));
		session.load();
	}

	root.adoptedStyleSheets = [style];
	root.append(view.element);
	view.element.onkeydown = ({ key }) => {
		if (key === 'Escape') close();
	};
	show(session.model());
	if (inline) session.load();

	return {
		open,
		close,
		/** Lives with the page until `signal` says that the widget has left it. */
		connect(signal: AbortSignal): void {
			document.addEventListener('click', (event) => asksToOpen(event) && open(), { signal });
			session.watch(signal);
		},
	};
}

/** `<call-back-widget workspace-key base-url lang theme inline>`: a visitor leaves a number and is called. */
export class CallBackWidget extends HTMLElement {
	#controller: ReturnType<typeof createController> | null = null;
	#presence = new AbortController();

	connectedCallback(): void {
		// Attributes are read here: an element made by script has none when it is constructed.
		this.#controller ??= createController(this);
		this.#presence = new AbortController();
		const { signal } = this.#presence;
		void this.#controller.then((controller) => signal.aborted || controller.connect(signal));
	}

	disconnectedCallback(): void {
		this.#presence.abort();
	}

	/** Shows the panel and moves the focus into it. */
	open(): void {
		void this.#controller?.then((controller) => controller.open());
	}

	/** Hides the panel and gives the focus back. A call that is under way goes on. */
	close(): void {
		void this.#controller?.then((controller) => controller.close());
	}
}
