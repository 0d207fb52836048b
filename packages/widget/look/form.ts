import type { NumberGuide } from '../config.ts';
import { asksLater, hintText, type Model, places, termsOf } from '../request/model.ts';
import type { Texts } from '../words.ts';
import { h, say } from './dom.ts';
import type { Gestures } from './gestures.ts';

/** An element for an error message. It is always in the document, so that screen readers announce changes of its text. */
function alertOf(id: string): HTMLElement {
	return h('p', 'error', { id, role: 'alert' });
}

/** The choice of a country for a number without a calling code. A country that the visitor has chosen stays chosen. */
function createCountryChoice(texts: Texts, onChange: () => void) {
	const names = new Intl.DisplayNames([texts.lang], { type: 'region' });
	const select = h('select', 'input', { id: 'country', 'aria-describedby': 'country-error' });
	const label = h('label', 'label', { for: 'country' }, texts.choose_country);
	let offer = '';
	select.onchange = onChange;
	return {
		select,
		label,
		show(choices: readonly NumberGuide[]): void {
			label.hidden = select.hidden = !choices.length;
			const regions = `${choices.map(({ region }) => region)}`;
			if (!choices.length || regions === offer) return;
			offer = regions;
			const { value } = select;
			const options = choices.map(({ region, calling_code }) =>
				h('option', '', { value: region }, `${names.of(region)} (\u2066+${calling_code}\u2069)`),
			);
			select.replaceChildren(...options);
			// By default, the workspace's own region is chosen, because it comes first.
			if (choices.some(({ region }) => region === value)) select.value = value;
		},
	};
}

/** The box to tick, with the workspace's text next to it, and the link to the workspace's page about privacy. */
function createTerms(texts: Texts, agree: () => void) {
	const consent = h('input', 'input', { type: 'checkbox', required: '', 'aria-describedby': 'consent' });
	const text = h('span', '', { dir: 'auto' });
	const privacy = h('a', 'privacy', { target: '_blank', rel: 'noopener noreferrer' }, texts.privacy);
	let shown: string | undefined;
	consent.onchange = agree;
	return {
		consent,
		elements: [h('label', 'consent', {}, consent, text), privacy],
		show(model: Model): void {
			consent.setAttribute('aria-invalid', `${!!model.errors.consent}`);
			const terms = termsOf(model);
			// With the tick, the visitor agrees to the text that is shown. If the text changes, the tick is removed. The browser
			// may translate the text for the visitor, so the ids are compared.
			if (shown !== terms?.id) consent.checked = false;
			shown = terms?.id;
			say(text, terms?.text ?? '');
			const url = model.config?.privacy_url;
			privacy.hidden = !url;
			if (url) privacy.href = url;
		},
	};
}

/** The form. It has a field for a note only if it asks for a callback. */
export function createForm(
	texts: Texts,
	{ submit: onSubmit, type, agree }: Pick<Gestures, 'submit' | 'type' | 'agree'>,
) {
	const phone = h('input', 'input', {
		id: 'tel',
		type: 'tel',
		autocomplete: 'tel',
		dir: 'ltr',
		required: '',
		'aria-describedby': 'hint phone',
	});
	const hint = h('small', '', { id: 'hint' });
	const country = createCountryChoice(texts, type);
	const name = h('input', 'input', { id: 'name', autocomplete: 'name', dir: 'auto', maxlength: '100' });
	const noteLabel = h('label', 'label', { for: 'note' }, texts.note);
	const note = h('input', 'input', { id: 'note', autocomplete: 'off', dir: 'auto', maxlength: '200' });
	const terms = createTerms(texts, agree);
	const { consent } = terms;
	const errors = {
		phone: alertOf('phone'),
		country: alertOf('country-error'),
		consent: alertOf('consent'),
		form: alertOf('form'),
	};
	const submit = h('button', 'submit');
	const element = h('form', 'form', { novalidate: '' });
	element.append(h('label', 'label', { for: 'tel' }, texts.phone), phone);
	element.append(hint, errors.phone, country.label, country.select, errors.country);
	element.append(h('label', 'label', { for: 'name' }, texts.name), name, noteLabel, note);
	element.append(...terms.elements, errors.consent, errors.form, submit);
	phone.oninput = type;
	// Listen for a click, which Enter causes, too. In a sandboxed frame without `allow-forms`, there is no submit event.
	submit.onclick = element.onsubmit = () => {
		onSubmit();
		return false;
	};
	return {
		element,
		inputs: { phone, country: country.select, name, note, consent },
		/**
		 * The field that gets the focus first: usually the number. If the form asks for a callback (`later`) and a valid number
		 * is filled in, the consent gets the focus, because a callback has a consent text of its own.
		 */
		first: ({ later, reading, errors }: Model) => (later && reading.e164 && !errors.phone ? consent : phone),
		show(model: Model): void {
			for (const place of places) {
				const error = model.errors[place];
				say(errors[place], error ? texts[error] : '');
			}
			say(hint, hintText(model, texts));
			country.show(model.reading.choices);
			phone.setAttribute('aria-invalid', `${!!model.errors.phone}`);
			country.select.setAttribute('aria-invalid', `${!!model.errors.country}`);
			terms.show(model);
			const later = asksLater(model);
			const label = later ? texts.lead : texts.submit;
			noteLabel.hidden = note.hidden = !later;
			say(submit, model.state === 'sending' ? texts.sending : label);
		},
	};
}
