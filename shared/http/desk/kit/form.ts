import { formToken } from '../../../domain/desk/csrf-token.ts';
import { shortened } from '../../../domain/kernel/visible-line.ts';
import type { DeskTexts } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import type { Fields } from '../../edge/form-fields.ts';
import { type ActionName, deskActions, hasOwnNote, type SessionForm, wordOf } from '../actions.ts';
import { fingerprint, isCurrent, shownFields } from '../sections.ts';
import { MOST_NAME } from './list.ts';
import type { View } from './view.ts';

/** The hidden fields of a form: its action, by the name in actions.ts, and further fields. */
export type ActionFields = Fields & { readonly action: ActionName | SessionForm };

/** Fields that a form sends but does not show. */
export const hiddenFields = (fields: Fields): Markup =>
	html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

/**
 * The hidden fields of every form of a session: the session's token, the time at which the form was shown, its action, and a
 * fingerprint of its section.
 */
export function hidden({ at, now_ms }: View, { action, ...fields }: ActionFields): Markup {
	const state = fingerprint(action, fields, at.workspace);
	const always = { token: formToken(at.secret), shown: now_ms.toString(36), action: wordOf(action) };
	return hiddenFields({ ...always, ...fields, ...(state !== undefined && { seen: state }) });
}

/** The attributes of a button that does not stand out. */
export const QUIET = html` class="quiet"`;
/** The attributes of a button that stands out: none, because a button without `class="quiet"` stands out. */
export const LOUD = html``;

/** A form that is only a button. By default, the button does not stand out. `inside`: what stands above the button. */
export const button = (
	view: View,
	fields: ActionFields,
	label: string,
	attributes: Markup = QUIET,
	inside: Markup = html``,
): Markup => html`<form method="post">${hidden(view, fields)}${inside}<button${attributes}>${label}</button></form>`;

/**
 * A button that asks before the action runs. It opens a sentence that says what will happen, and a second button that runs
 * the action. `inside`: further questions.
 */
export const asks = (
	view: View,
	fields: ActionFields,
	label: string,
	says: Markup | string | false,
	yes = label,
	inside: Markup = html``,
): Markup => {
	const press = button(view, fields, yes, QUIET, inside);
	return html`<details><summary>${label} …</summary><p class="soft">${says}</p>${press}</details>`;
};

/** A button next to a name. Its label is short, so screen readers get the name too. */
export const buttonBeside = (
	view: View,
	fields: ActionFields,
	word: keyof DeskTexts['short'],
	name: string,
): Markup => {
	const label = html` class="quiet" aria-label="${fillIn(view.texts[word], shortened(name, MOST_NAME))}"`;
	return button(view, fields, view.texts.short[word], label);
};

/** One option of a choice, as a radio button or a check box. `state`: further attributes. */
export const tick = (
	type: 'radio' | 'checkbox',
	name: string,
	value: string,
	current: string,
	label: string | Markup,
	state: Markup | false = false,
): Markup => {
	const checked = value === current && html` checked`;
	return html`<label class="choice"><input type="${type}" name="${name}" value="${value}"${checked}${state}>${label}</label>`;
};

/**
 * A form of a page. `saved`: its fields as they are saved. `entered`: its fields as they were entered, if the form was
 * refused.
 */
export type Form = {
	readonly view: View;
	readonly saved: Fields;
	readonly entered: Fields | null;
	/** False if another person has made a change, since the form was shown, that this form would overwrite. */
	readonly is_current: boolean;
};
/**
 * What a form needs if it does not change a section of the workspace. `about`: hidden fields. They name what the form
 * changes, and the state in which the page has shown it. `saved`: the saved values of the visible fields.
 */
export type Subject = { readonly about: Fields; readonly saved: Fields };

/**
 * The fields of the last form that was sent, if that form was refused and has this action and these other fields. Otherwise
 * null.
 */
export function enteredIn({ entered }: View, { action, ...about }: ActionFields): Fields | null {
	const isThis = entered?.['action'] === wordOf(action);
	return isThis && Object.entries(about).every(([name, value]) => entered[name] === value) ? entered : null;
}

/**
 * A card with a form and its button. `beside`: what stands next to the button. The browser does not check the form, so that
 * each reason is in the desk's own words beside its field.
 */
export function formCard(
	view: View,
	action: ActionName,
	content: (form: Form) => Markup,
	label: string,
	subject?: Subject,
	beside?: Markup,
): Markup {
	const { workspace } = view.at;
	const { about, saved } = subject ?? { about: {}, saved: shownFields(action, workspace) ?? {} };
	const { id } = about;
	const entered = enteredIn(view, { action, ...(id !== undefined && { id }) });
	const isOf = (fields: Fields): boolean =>
		isCurrent(fields, workspace) && Object.entries(about).every(([name, value]) => fields[name] === value);
	const form = { view, saved, entered, is_current: entered === null || isOf(entered) };
	// The form names its shop, so that the page of another shop does not show what was entered here.
	const shop = { shop: workspace.id, shop_name: workspace.name };
	const fields = hidden(view, { ...shop, action, ...about });
	const word = wordOf(action);
	const press = html`<button>${label}</button>`;
	const isUnsaved = hasOwnNote(word) && hasUnsaved(form) && html` data-edited`;
	return html`<form method="post" class="card" name="${word}" novalidate${isUnsaved}>${fields}
${content(form)}${hasOwnNote(word) ? saveBar(press, form) : press}${beside}${noteInForm(view, word)}</form>`;
}

const hasUnsaved = ({ entered, is_current }: Form): boolean => entered !== null && is_current;

/**
 * The button of a form with saved settings, in a bar. If the form has changes that are not saved, the page says so beside the
 * button, and the bar stays in sight while the form is longer than the screen: after a refusal, and, by the script, once the
 * form was edited.
 */
function saveBar(press: Markup, form: Form): Markup {
	const { unsaved } = form.view.texts;
	const says = hasUnsaved(form) && unsaved;
	return html`<div class="save">${press}<p class="soft" role="status" data-unsaved="${unsaved}">${says}</p></div>`;
}

/**
 * A form that adds an item to a list. If the list has items, only a button with the form's title is shown, so that the list
 * comes first. The button opens the form. The open form has the title as its heading. *Cancel* loads the page with the form
 * hidden. If the form was just refused, it is shown.
 */
export function addForm(view: View, action: ActionName, { title, isEmpty, content, label, subject }: AddForm): Markup {
	if (isEmpty) return html`<h2>${title}</h2>${formCard(view, action, content, label, subject)}`;
	const cancel = html` <a class="button quiet" href="${deskActions[action].page}">${view.texts.cancel}</a>`;
	const named = (form: Form): Markup => html`<h2>${title}</h2>${content(form)}`;
	const form = formCard(view, action, named, label, subject, cancel);
	const isOpen = enteredIn(view, { action }) !== null;
	return html`<details class="add"${isOpen && html` open`}><summary class="button">${title}</summary>${form}</details>`;
}
type AddForm = {
	readonly title: string;
	/** True if the list has no items. */
	readonly isEmpty: boolean;
	readonly content: (form: Form) => Markup;
	/** The label of the form's button. */
	readonly label: string;
	readonly subject?: Subject;
};

/** `is_wrong`: the form was refused because of this field. */
type FieldValue = { readonly value: string; readonly is_wrong: boolean; readonly beside: Markup | false };

/**
 * The value of a field: the saved value, or the entered value if this form was refused. `beside` is what stands next to the
 * field: the reason, if the form was refused because of this field. If another person has changed the section since the
 * form was shown, the value is the saved value, and `beside` also contains the entered value. `say` puts an entered value
 * into words.
 */
export function fieldValue(
	{ view: { texts, wrong }, saved, entered, is_current }: Form,
	name: string,
	say = (value: string) => value,
): FieldValue {
	const value = saved[name] ?? '';
	if (entered === null) return { value, is_wrong: false, beside: false };
	const fault = wrong.find((each) => each.name === name);
	const is_wrong = fault !== undefined;
	const why = is_wrong && html`<p class="missed" id="${name}-wrong">${fault.text}</p>`;
	const typed = (entered[name] ?? '').replaceAll('\r', '');
	if (is_current) return { value: typed, is_wrong, beside: why };
	const differs = typed.trim() !== value;
	const beside = differs && html`<p class="soft">${texts.you_entered} <bdi>${say(typed) || '–'}</bdi></p>`;
	return { value, is_wrong, beside: html`${beside}${why}` };
}

/**
 * What stands beside a field for a time or a date. It is shown while the field is incomplete, because browsers send such a
 * field as an empty one, so that the server cannot see what was typed.
 */
export const incomplete = (words: string): Markup => html`<small class="part missed">${words}</small>`;

/**
 * The attributes of a field: the ids of the elements that describe it, and whether the form was refused because of this
 * field. The page opens at the first field that was refused.
 */
export function fieldState({ view: { wrong }, entered }: Form, name: string, hasHint = false): Markup {
	const nth = entered === null ? -1 : wrong.findIndex((each) => each.name === name);
	const ids = [hasHint && `${name}-hint`, nth >= 0 && `${name}-wrong`].filter((id) => id !== false).join(' ');
	const described = ids !== '' && html` aria-describedby="${ids}"`;
	return html`${described}${nth >= 0 && html` aria-invalid="true"`}${nth === 0 && html` autofocus`}`;
}

/** The note below the button of a form that was just saved, if the note of this form stands there (see `hasOwnNote`). */
export function noteInForm({ said, query, texts }: View, word: string): Markup | false {
	const isThis = query['saved'] === word && hasOwnNote(word);
	return isThis && html`<p class="note said" id="said" role="status">${said ?? texts.saved}</p>`;
}
