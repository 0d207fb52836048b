import { eventKinds } from '../../../domain/webhooks/event.ts';
import { knownLanguage, type Language, languages } from '../../../domain/workspaces/language.ts';
import { MOST_GREETING_CHARACTERS } from '../../../domain/workspaces/look.ts';
import { timeZones } from '../../../domain/workspaces/time-zone.ts';
import { MOST_NAME_CHARACTERS } from '../../../domain/workspaces/workspace.ts';
import type { DeskTexts } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import type { Fields } from '../../edge/request.ts';
import { isCurrent, savedFor } from '../sections.ts';
import { hidden, ofShop, type View } from './frame.ts';

/** A form of a page: its fields as they are saved, and as they were entered before it was refused. */
export type Form = {
	readonly view: View;
	readonly saved: Fields;
	readonly entered: Fields | null;
	/** What was entered is about what is saved now: no other person has changed it meanwhile. */
	readonly is_current: boolean;
};
/** A form about something else than a section of the workspace. `about`: the hidden fields that say what, and as of when. */
type Subject = { readonly about: Fields; readonly saved: Fields };

type Content = readonly FieldName[] | ((form: Form) => Markup);

/** A card with a form and its button. `action`: what the form asks for. */
export function formCard(view: View, action: string, content: Content, label: string, subject?: Subject): Markup {
	const { at, entered } = view;
	const { about, saved } = subject ?? { about: {}, saved: savedFor({ action }, at.workspace) ?? {} };
	const own = entered?.['action'] === action && entered['id'] === about['id'] ? entered : null;
	const isOf = (fields: Fields): boolean =>
		isCurrent(fields, at.workspace) && Object.entries(about).every(([name, value]) => fields[name] === value);
	const form = { view, saved, entered: own, is_current: own === null || isOf(own) };
	return html`<form method="post" class="card" name="${action}">${hidden(view, { ...ofShop(view), action, ...about })}
${typeof content === 'function' ? content(form) : content.map((name) => field(form, name))}<button>${label}</button></form>`;
}

/** `is_wrong`: the form was refused because of this field. */
type FieldValue = { readonly value: string; readonly is_wrong: boolean; readonly beside: Markup | false };

/**
 * A field's value: the saved one, or the entered one if this form was refused; `beside` then says why this field was. If
 * another person has changed the section meanwhile, it is the saved one, and `beside` shows what was entered, as `say` writes
 * it.
 */
export function fieldValue(
	{ view: { texts, wrong }, saved, entered, is_current }: Form,
	name: string,
	say = (value: string) => value,
): FieldValue {
	const value = saved[name] ?? '';
	if (entered === null) return { value, is_wrong: false, beside: false };
	const is_wrong = wrong?.name === name;
	const why = is_wrong && html`<p class="missed" id="${name}-wrong">${wrong.text}</p>`;
	const typed = (entered[name] ?? '').replaceAll('\r', '');
	if (is_current) return { value: typed, is_wrong, beside: why };
	const differs = typed.trim() !== value;
	const beside = differs && html`<p class="soft">${texts.you_entered} <bdi>${say(typed) || '–'}</bdi></p>`;
	return { value, is_wrong, beside: html`${beside}${why}` };
}

/** What a field is described by, and whether it was refused: then the page opens at it. */
export function fieldState(name: string, isWrong: boolean, hasHint = false): Markup {
	const ids = [hasHint && `${name}-hint`, isWrong && `${name}-wrong`].filter((id) => id !== false).join(' ');
	const described = ids !== '' && html` aria-describedby="${ids}"`;
	return html`${described}${isWrong && html` aria-invalid="true" autofocus`}`;
}

type FieldName = Exclude<keyof DeskTexts['fields'], 'weekly' | 'back' | 'permissions' | 'events' | 'headers'>;
/** A field for text if it is nothing else. `rows`: of a larger one. `more`: further attributes. */
type Kind = { readonly is?: 'choice' | 'tick'; readonly rows?: number; readonly more?: string };

const CONSENT = { rows: 3, more: 'dir="auto" maxlength="2000"' } as const;
/** The fields of forms. Each has its label, and perhaps a hint, among the texts. */
const FIELDS: Readonly<Record<FieldName, Kind>> = {
	address: { more: 'type="email" dir="ltr" required' },
	role: { is: 'choice' },
	member: { more: `maxlength="${MOST_NAME_CHARACTERS}" autocomplete="off"` },
	phone: { more: 'type="tel" dir="ltr" required autocomplete="off"' },
	ring_strategy: { is: 'choice' },
	ring_order: { is: 'choice' },
	name: { more: 'required maxlength="100"' },
	origins: { rows: 3, more: 'dir="ltr" spellcheck="false"' },
	language: { is: 'choice' },
	accent: { more: 'type="color"' },
	greeting: { more: `maxlength="${MOST_GREETING_CHARACTERS}"` },
	call: CONSENT,
	covers: { is: 'tick' },
	lead: CONSENT,
	privacy_links: { more: 'inputmode="url" dir="ltr" maxlength="2048"' },
	team_email: { more: 'type="email" dir="ltr"' },
	tells_missed_calls: { is: 'tick' },
	time_zone: { is: 'choice' },
	key_name: { more: 'required maxlength="100" autocomplete="off"' },
	url: { more: 'type="url" dir="ltr" required maxlength="2048" autocomplete="off" spellcheck="false"' },
	description: { more: 'maxlength="200"' },
	event: { is: 'choice' },
	overlap: { is: 'choice' },
	since: { is: 'choice' },
	missing: { is: 'tick' },
	no_headers: { is: 'tick' },
	holidays: { rows: 4, more: 'dir="ltr" spellcheck="false"' },
	holiday: { more: 'type="date"' },
};

/** A field of a form, with its label and its hint. */
export function field(form: Form, name: FieldName): Markup {
	const { fields, hints } = form.view.texts;
	const { is, rows, more = '' } = FIELDS[name];
	const options = is === 'choice' ? optionsOf(form, name) : new Map<string, string>();
	const { value, is_wrong, beside } = fieldValue(form, name, (typed) => options.get(typed) ?? typed);
	if (is === 'tick') return html`${tick('checkbox', name, 'yes', value, fields[name])}${beside}`;
	const hint = new Map(Object.entries(hints)).get(name);
	const spoken = languageName(knownLanguage(form.saved['language'] ?? '') ?? form.view.language, form.view.language);
	const says = hint && html`<p class="soft" id="${name}-hint">${fillIn(hint, spoken)}</p>`;
	const attributes = html`id="${name}" name="${name}"${fieldState(name, is_wrong, hint !== undefined)} ${{ markup: more }}`;
	const large = html`<textarea ${attributes} rows="${rows}">${value}</textarea>`;
	const text = rows === undefined ? html`<input ${attributes} value="${value}">` : large;
	// A list of all time zones is long enough without each name twice.
	const choices = [...options].map(
		([each, label]) =>
			html`<option${each !== label && html` value="${each}"`}${each === value && html` selected`}>${label}</option>`,
	);
	const box = is === 'choice' ? html`<select ${attributes}>${choices}</select>` : text;
	return html`<label for="${name}">${fields[name]}</label>${says}${box}${beside}
`;
}

function optionsOf({ view }: Form, name: FieldName): ReadonlyMap<string, string> {
	if (name === 'language') return new Map(languages.map((each) => [each, languageName(each)]));
	if (name === 'event') return new Map(eventKinds.map((each) => [each, each]));
	const { [name]: choices }: Readonly<Partial<Record<string, Readonly<Record<string, string>>>>> = view.texts.choices;
	if (choices !== undefined) return new Map(Object.entries(choices));
	return new Map(timeZones(view.at.workspace.region).map((zone) => [zone, zone]));
}

/** A choice of one value by a button or a box of its own. */
export const tick = (type: 'radio' | 'checkbox', name: string, value: string, current: string, label: string): Markup =>
	html`<label class="choice"><input type="${type}" name="${name}" value="${value}"${value === current && html` checked`}>${label}</label>`;

/** The name of a language: in itself, or in another one. */
export const languageName = (language: Language, spoken = language): string =>
	new Intl.DisplayNames([spoken], { type: 'language' }).of(language) ?? language;
