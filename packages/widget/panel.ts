import type { WidgetLeadRequest } from '../../shared/contract/widget/widget.ts';
import { loadChoice } from './load-choice.ts';
import type { LoaderOf } from './load-file.ts';
import { isShown } from './look/dom.ts';
import type { Launcher } from './look/launcher.ts';
import { createShelter } from './look/shelter.ts';
import { addPanelStyle, createView, type PanelView } from './look/view.ts';
import { readNumber } from './number/read-number.ts';
import type { Panel, Shared } from './panel-parts.ts';
import { widgetApi } from './request/api.ts';
import {
	asksLater,
	atRest,
	type Errors,
	type Model,
	moodOf,
	type State,
	type StateDetail,
	termsOf,
} from './request/model.ts';
import { createSession } from './request/session.ts';
import { guard } from './tell.ts';
import { loadTexts } from './texts.ts';

type FormInput =
	| { readonly request: WidgetLeadRequest; readonly errors?: undefined }
	| { readonly request?: undefined; readonly errors: Errors };

/** The longest address of a page that the API accepts. A page's address may be longer. */
const PAGE_URL_LENGTH = 2048;
const REFERENCE_LENGTH = 64;

/**
 * Shortens a text. This may cut a character in half and leave a lone surrogate, which the service would refuse, so lone
 * surrogates are removed. Null if nothing is left.
 */
const cut = (text = '', length = text.length): string | null =>
	text
		.trim()
		.slice(0, length)
		.replace(/\p{Cs}/gu, '') || null;
const textOf = ({ value }: HTMLInputElement): string | null => cut(value);

/**
 * What the call is about, in words of the page. Null if the page gave none. It is cut to the length that the API accepts.
 */
const referenceOf = (host: HTMLElement): string | null => cut(host.getAttribute('reference') ?? '', REFERENCE_LENGTH);

/** Returns what the visitor requests. If the form has errors, returns the errors and moves the focus to the first wrong field. */
function readForm(host: HTMLElement, workspace_key: string, inputs: PanelView['inputs'], model: Model): FormInput {
	const { phone, country, name, note, consent } = inputs;
	const { e164, fault } = model.reading;
	if (e164 && consent.checked) {
		// A page of `srcdoc` or `blob:` has no address of its own, so its origin is used.
		const page_url = (location.protocol.startsWith('http') ? location.href : origin)
			.replace(/#.*/, '')
			.slice(0, PAGE_URL_LENGTH);
		const request = {
			workspace_key,
			phone: e164,
			name: textOf(name),
			consent: true,
			consent_text_id: termsOf(model)?.id ?? null,
			page_url,
			reference: referenceOf(host),
		};
		return { request: asksLater(model) ? { ...request, note: textOf(note) } : request };
	}
	const asks = fault === 'choose_country' ? 'country' : 'phone';
	if (fault) (asks === 'country' ? country : phone).focus();
	else consent.focus();
	return { errors: { [asks]: fault, consent: consent.checked ? null : 'consent_required' } };
}

/**
 * Shows each new model, moves the focus to what the visitor does next, and sends each new state to the page as an event.
 */
function createPresenter({ host, root }: Launcher, workspace_key: string, view: PanelView): (model: Model) => void {
	let announcedState: State = 'idle';
	return (model) =>
		guard(() => {
			const had = root.activeElement;
			view.show(model);
			// The focus moves in three cases: from the panel itself to the form, away from an element that is now hidden, and to
			// an invalid number after a refusal.
			const moves =
				had && (had.getAttribute('role') || !isShown(had) || (announcedState === 'sending' && model.errors.phone));
			if (moves) view.focus(model);
			if (announcedState === model.state) return;
			announcedState = model.state;
			const { id, reason } = model;
			const detail: StateDetail = { state: announcedState, id, reference: referenceOf(host), reason, workspace_key };
			host.dispatchEvent(new CustomEvent('callback:state', { detail, bubbles: true, composed: true }));
		});
}

/** Builds the panel in the launcher's frame, with the attributes that the element has at this time. */
export async function createPanel(launcher: Launcher, loaderOf: LoaderOf): Promise<Panel> {
	const { host, keys, frame, scriptUrl } = launcher;
	const texts = await loadTexts(launcher.language, launcher.request);
	addPanelStyle(launcher.root);
	const shared = { texts, shelter: createShelter(host, frame) };
	const [key = '', ...others] = keys;
	const build = (workspaceKey: string) => buildPanel(launcher, workspaceKey, shared);
	return others.length ? (await loadChoice(scriptUrl, loaderOf)).createChoice(launcher, build, shared) : build(key);
}

/** Builds the panel of one workspace. */
function buildPanel(launcher: Launcher, workspaceKey: string, { texts, shelter }: Shared): Panel {
	const { host, button, baseUrl } = launcher;
	const inline = host.hasAttribute('inline');
	const safe = (act: () => void) => () => guard(act);
	const actions = {
		close: safe(close),
		type: safe(type),
		agree: safe(agree),
		submit: safe(submit),
		later: safe(later),
		again: safe(again),
		cancel: safe(() => session.cancel()),
	};
	const view = createView(launcher, texts, inline, actions);
	const { request } = launcher;
	const memory = launcher.memoryOf(workspaceKey);
	const api = widgetApi(baseUrl, workspaceKey, texts.lang, { memory, request });
	const show = createPresenter(launcher, workspaceKey, view);
	const session = createSession(api, memory, workspaceKey, show);
	let opener: Element | null = null;
	let started = false;

	function open(from: Element | null): void {
		shelter.enter(from);
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
		// The launcher gets the focus, unless the element that opened the panel can still get it.
		button.focus();
		if (opener instanceof HTMLElement) opener.focus();
	}

	/** Reads the number at each keystroke and before it is sent. Removes the errors about what was in the field before. */
	function type(): void {
		const { config, errors } = session.model();
		const { phone, country } = view.inputs;
		const reading = config && readNumber(phone.value, config, country.value);
		if (reading) session.change({ reading, errors: { ...errors, phone: null, country: null } });
	}

	/**
	 * The visitor has ticked the box or removed the tick, and has therefore seen the error at the box. So the error is removed.
	 */
	function agree(): void {
		session.change({ errors: { ...session.model().errors, consent: null } });
	}

	function submit(): void {
		const { config, state } = session.model();
		if (!config || state === 'sending') return;
		type();
		const { request, errors } = readForm(host, workspaceKey, view.inputs, session.model());
		if (request) session.send(request, asksLater(session.model()), view.inputs.country.value);
		else session.change({ errors });
	}

	/** Turns the form for a call into a form for a callback, which has its own terms to agree to. What was typed stays. */
	function later(): void {
		const { open, config, reading } = session.model();
		session.change({ ...atRest(open, config, true), reading });
	}

	function again(): void {
		const { open, config } = session.model();
		session.change(atRest(open, config));
		session.load();
	}

	/**
	 * Called when the widget is added to the page. The first time, it also shows the call that this tab has requested, or the
	 * inline form.
	 */
	function connect(signal: AbortSignal): void {
		if (!started && !session.recall() && inline) session.load();
		started = true;
		session.watch(signal);
		// If the widget was elsewhere before, the browser has taken it out of the top layer, so show it again.
		view.show(session.model());
	}
	show(session.model());

	return { open, close, connect, leaveModal: shelter.leave, recall: session.recall };
}
