import type { NumberGuide } from '../config.ts';
import { createHead } from '../head.ts';
import type { Launcher } from '../launcher.ts';
import {
	greets,
	hintText,
	introText,
	isClosed,
	launcherText,
	type Model,
	moodOf,
	offersLead,
	places,
	sendingText,
	showsForm,
	statusText,
	talkedText,
	titleText,
} from '../request/model.ts';
import type { Texts } from '../words.ts';
import { h, say } from './dom.ts';

/** The visitor's actions. */
export type Gestures = {
	close(): void;
	/** The visitor changed the number, or its country. */
	type(): void;
	submit(later: boolean): void;
	again(): void;
	/** Cancels the call before it is connected. */
	cancel(): void;
};

function button(part: string, onClick: () => void, ...children: (Node | string)[]): HTMLButtonElement {
	const made = h('button', part, { type: 'button' }, ...children);
	made.onclick = onClick;
	return made;
}

/** An error message. It is always in the tree, so that screen readers announce changes of its text. */
function alertOf(id: string): HTMLElement {
	return h('p', 'error', { id, role: 'alert' });
}

/** The choice of countries that a number could belong to; a chosen one stays. */
function createCountryChoice(texts: Texts, onChange: () => void) {
	const names = new Intl.DisplayNames([texts.lang], { type: 'region' });
	const select = h('select', 'input', { id: 'country', 'aria-describedby': 'country-error' });
	const label = h('label', 'label', { for: 'country' }, texts.choose_country);
	const option = (text: string, value: string) => h('option', '', { value }, text);
	let offered = '';
	select.onchange = onChange;
	return {
		...{ select, label },
		show(choices: readonly NumberGuide[]): void {
			label.hidden = select.hidden = !choices.length;
			const regions = `${choices.map(({ region }) => region)}`;
			if (!choices.length || regions === offered) return;
			offered = regions;
			const { value } = select;
			const options = choices.map(({ region, calling_code }) =>
				option(`${names.of(region)} (\u2066+${calling_code}\u2069)`, region),
			);
			select.replaceChildren(option('', ''), ...options);
			select.value = choices.some(({ region }) => region === value) ? value : '';
		},
	};
}

function createForm(texts: Texts, { submit: onSubmit, type }: Gestures) {
	const phone = h('input', 'input', {
		...{ id: 'tel', type: 'tel', autocomplete: 'tel', dir: 'ltr' },
		...{ required: '', 'aria-describedby': 'hint phone' },
	});
	const hint = h('small', '', { id: 'hint' });
	const country = createCountryChoice(texts, type);
	const name = h('input', 'input', { id: 'name', autocomplete: 'name', maxlength: '100' });
	const consent = h('input', 'input', { type: 'checkbox', required: '', 'aria-describedby': 'consent' });
	const consentText = h('span', '', { dir: 'auto' });
	const errors = {
		...{ phone: alertOf('phone'), country: alertOf('country-error') },
		...{ consent: alertOf('consent'), form: alertOf('form') },
	};
	const submit = h('button', 'submit');
	const element = h('form', 'form', { novalidate: '' });
	element.append(h('label', 'label', { for: 'tel' }, texts.phone), phone);
	element.append(hint, errors.phone, country.label, country.select, errors.country);
	element.append(h('label', 'label', { for: 'name' }, texts.name), name);
	element.append(h('label', 'consent', {}, consent, consentText), errors.consent, errors.form, submit);
	phone.oninput = type;
	element.onsubmit = (event) => {
		event.preventDefault();
		onSubmit(false);
	};
	return {
		element,
		inputs: { phone, country: country.select, name, consent },
		show(model: Model): void {
			for (const place of places) {
				const error = model.errors[place];
				say(errors[place], error ? texts[error] : '');
			}
			say(hint, hintText(model, texts));
			country.show(model.reading.choices);
			phone.ariaInvalid = `${!!model.errors.phone}`;
			country.select.ariaInvalid = `${!!model.errors.country}`;
			consent.ariaInvalid = `${!!model.errors.consent}`;
			const terms = model.config?.consent_text ?? '';
			// A tick is consent to the text beside it.
			if (consentText.textContent !== terms) consent.checked = false;
			say(consentText, terms);
			const wish = isClosed(model.config) ? texts.lead : texts.submit;
			say(submit, model.state === 'sending' ? sendingText(model, texts) : wish);
		},
	};
}

/** Builds everything once, beside the launcher; `show` then only changes what differs. */
export function createView(
	{ host, frame, button: launcher, label }: Launcher,
	texts: Texts,
	inline: boolean,
	gestures: Gestures,
) {
	const form = createForm(texts, gestures);
	const steps = texts.steps.map((text) => h('li', 'step', {}, text));
	const progress = h('ol', 'steps', {}, ...steps);
	const close = button('close', gestures.close, '\u00d7');
	const title = h('h2', 'title', { id: 'title' });
	const intro = h('small', '');
	const status = h('p', 'status', { role: 'status' });
	const number = h('bdi', '', { dir: 'ltr' });
	const lead = button('lead', () => gestures.submit(true), texts.lead);
	const timer = h('span', 'timer', { role: 'timer' });
	const cancel = button('cancel', gestures.cancel, texts.cancel);
	const again = button('again', gestures.again, texts.again);
	const panel = h('section', 'panel', {
		role: inline ? 'group' : 'dialog',
		'aria-labelledby': 'title',
		tabindex: '-1',
	});
	panel.append(...[createHead(host) ?? []].flat(), title, close, intro, form.element, h('div', 'orb', {}, h('i', '')));
	panel.append(status, number, timer, progress, cancel, lead, again);
	let ticking: ReturnType<typeof setInterval> | undefined;
	/** Counts the seconds of a conversation; the final time stays visible at the end. */
	const tick = (model: Model): void => {
		clearInterval(ticking);
		if (model.state !== 'connected') return;
		const update = (): void => say(timer, talkedText(model, performance.now()));
		update();
		ticking = setInterval(update, 1000);
	};
	Object.assign(frame, { lang: texts.lang, dir: texts.dir });
	frame.append(panel);
	close.ariaLabel = texts.close;
	close.hidden = inline;

	return {
		panel,
		inputs: form.inputs,
		/** The element that gets the focus when the panel opens, or when the focused element disappears. */
		focus: (model: Model) => (showsForm(model) ? form.inputs.phone : panel).focus(),
		show(model: Model): void {
			const { state, step, config } = model;
			const closed = isClosed(config);
			const live = moodOf(state) === 'live';
			form.show(model);
			frame.className = `${showsForm(model) ? 'form' : 'call'} ${moodOf(state)} ${state}`;
			launcher.hidden = model.open || inline;
			panel.hidden = !launcher.hidden;
			const sending = state === 'sending';
			say(label, launcherText(model, texts));
			say(title, (greets(model) && host.getAttribute('greeting')) || titleText(model, texts));
			say(intro, introText(config, texts));
			say(status, statusText(model, texts));
			say(number, model.phone);
			lead.hidden = closed || !offersLead(model);
			again.hidden = live;
			progress.hidden = step === null || sending;
			cancel.hidden = !model.mayCancel || sending;
			timer.hidden = model.talkingSince === null || sending;
			tick(model);
			for (const [at, item] of steps.entries()) item.ariaCurrent = at === step ? 'step' : null;
		},
	};
}
export type View = ReturnType<typeof createView>;
