import type { WidgetRequest } from '../shared/contract/visitors/widget.ts';
import type { Launcher } from './launcher.ts';
import { createView, type View } from './look/view.ts';
import { readNumber } from './number/read-number.ts';
import { createApi } from './request/api.ts';
import { createMemory } from './request/memory.ts';
import { atRest, type Errors, isClosed, type Model, moodOf, type State } from './request/model.ts';
import { createSession } from './request/session.ts';
import { loadTexts } from './texts.ts';

/** What was typed: a wish, or errors. */
type Filled =
	| { readonly wish: WidgetRequest; readonly errors?: undefined }
	| { readonly wish?: undefined; readonly errors: Errors };

/** The API's limit; a page's address may be longer. */
const PAGE_URL_LENGTH = 2048;

/** The visitor's wish, or what is wrong with the form, which gets the focus: nothing is sent without a number and consent. */
function readForm(workspace_key: string, inputs: View['inputs'], { reading }: Model): Filled {
	const { phone, country, name, consent } = inputs;
	const { e164, fault } = reading;
	if (e164 && consent.checked) {
		const page_url = location.href.replace(/#.*/, '').slice(0, PAGE_URL_LENGTH);
		return { wish: { workspace_key, phone: e164, name: name.value.trim() || null, consent: true, page_url } };
	}
	const asks = fault === 'choose_country' ? 'country' : 'phone';
	if (fault) (asks === 'country' ? country : phone).focus();
	else consent.focus();
	return { errors: { [asks]: fault, consent: consent.checked ? null : 'consent_required' } };
}

export type Panel = {
	/** Shows it; the focus returns to `from` when it closes. */
	open(from: Element | null): void;
	close(): void;
	/** Lives with the page until `signal` says that the widget has left it. */
	connect(signal: AbortSignal): void;
};

/** Shows each new model, keeps the focus where something is to be done, and tells the page of each new state. */
function createPresenter({ host, root }: Launcher, view: View): (model: Model) => void {
	let told: State = 'idle';
	return (model) => {
		const had = root.activeElement;
		view.show(model);
		// Focus on the panel (all that has a role) moves on to the form; what had it may be hidden; a bad number asks for it.
		const moves = had?.role || had?.checkVisibility() === false || (told === 'sending' && model.errors.phone);
		if (had && moves) view.focus(model);
		if (told === model.state) return;
		told = model.state;
		const detail = { state: told };
		host.dispatchEvent(new CustomEvent('callback:state', { detail, bubbles: true, composed: true }));
	};
}

/** Builds the panel into the launcher's frame. The element's attributes count from then on. */
export async function createPanel(launcher: Launcher): Promise<Panel> {
	const { host, button, baseUrl } = launcher;
	const workspaceKey = host.getAttribute('workspace-key') ?? '';
	const inline = host.hasAttribute('inline');
	const view = createView(launcher, await loadTexts(launcher.language), inline, {
		...{ close, type, submit, again },
		cancel: () => session.cancel(),
	});
	const api = createApi(baseUrl, workspaceKey);
	const show = createPresenter(launcher, view);
	const session = createSession(api, createMemory(workspaceKey), workspaceKey, show);
	let opener: Element | null = null;

	function open(from: Element | null): void {
		if (!session.model().open) {
			opener = from;
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
		button.focus();
		if (opener instanceof HTMLElement) opener.focus();
	}

	/** Reads the number anew: at each key, and before it is sent. */
	function type(): void {
		const { config } = session.model();
		const { phone, country } = view.inputs;
		if (config) session.change({ reading: readNumber(phone.value, config, country.value) });
	}

	/** Sends what was typed: a wish to be called now, or `later`. */
	function submit(later: boolean): void {
		const { config, state } = session.model();
		if (!config || state === 'sending') return;
		type();
		const { wish, errors } = readForm(workspaceKey, view.inputs, session.model());
		if (wish) session.send(wish, later || isClosed(config), view.inputs.country.value);
		else session.change({ errors });
	}

	function again(): void {
		const { open, config } = session.model();
		session.change(atRest(open, config));
		session.load();
	}

	view.panel.onkeydown = ({ key }) => {
		if (key === 'Escape') close();
	};
	show(session.model());
	if (!session.resume() && inline) session.load();

	return { open, close, connect: session.watch };
}
