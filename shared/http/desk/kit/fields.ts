import { knownLanguage, type Language, languages } from '../../../domain/workspaces/language.ts';
import { MOST_GREETING_CHARACTERS } from '../../../domain/workspaces/look.ts';
import { timeZones, timeZonesOfRegion } from '../../../domain/workspaces/time-zone.ts';
import { MOST_NAME_CHARACTERS } from '../../../domain/workspaces/workspace.ts';
import type { DeskTexts } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { shortDate } from '../../../presentation/short-date.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { placeOf } from '../../../presentation/team-words.ts';
import { type Form, fieldState, fieldValue, tick } from './form.ts';
import type { View } from './view.ts';

type FieldName = Exclude<keyof DeskTexts['fields'], 'weekly' | 'back' | 'permissions' | 'events' | 'headers'>;
/**
 * How a field is drawn. If `is` and `rows` are absent, the field is one line of text. `radio`: a choice with options that are
 * too long for a phone, where a closed list would cut them. `rows`: the height of a text with several lines. `more`: further
 * attributes. `options`: the options of a choice. If they are absent, `optionsOf` returns them.
 */
type Kind = {
	readonly is?: 'choice' | 'radio' | 'tick';
	readonly rows?: number;
	readonly more?: string;
	readonly options?: ReadonlyMap<string, string>;
};

const CONSENT = { rows: 3, more: 'dir="auto" maxlength="2000"' } as const;
/**
 * The fields of the developers' forms. They are not in `FIELDS`, because the Lambda functions of the shop's pages do not need
 * them.
 */
type DeveloperField = 'key_name' | 'url' | 'description' | 'event' | 'overlap' | 'since' | 'missing' | 'no_headers';
/** The fields of the shop's forms. The texts of the desk have a label for each field, and a hint for some fields. */
const FIELDS: Readonly<Record<Exclude<FieldName, DeveloperField>, Kind>> = {
	address: { more: 'type="email" dir="ltr" required' },
	role: { is: 'radio' },
	member: { more: `maxlength="${MOST_NAME_CHARACTERS}" autocomplete="off"` },
	phone: { more: 'type="tel" dir="ltr" required autocomplete="off"' },
	ring_strategy: { is: 'radio' },
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
	holidays: { rows: 4, more: 'dir="ltr" spellcheck="false"' },
	holiday: { more: 'type="date"' },
};

/** A field of a form, with its label and its hint. */
export const field = (form: Form, name: keyof typeof FIELDS): Markup => fieldOf(form, name, FIELDS[name]);

/** A field with its label and its hint. The last parameter says how the field is drawn. */
export function fieldOf(form: Form, name: FieldName, { is, rows, more = '', options: own }: Kind): Markup {
	const { fields, hints } = form.view.texts;
	const isChoice = is === 'choice' || is === 'radio';
	const options = isChoice ? (own ?? optionsOf(form, name)) : new Map<string, string>();
	const { value, beside } = fieldValue(form, name, (typed) => options.get(typed) ?? typed);
	if (is === 'tick') return html`${tick('checkbox', name, 'yes', value, fields[name])}${beside}`;
	if (is === 'radio') {
		const current = options.has(value) ? value : ([...options.keys()][0] ?? '');
		const radios = [...options].map(([each, label], nth) =>
			tick('radio', name, each, current, label, nth === 0 && fieldState(form, name)),
		);
		return html`<fieldset><legend>${fields[name]}</legend>${radios}${beside}</fieldset>
`;
	}
	const hint = new Map(Object.entries(hints)).get(name);
	const spoken = languageName(knownLanguage(form.saved['language'] ?? '') ?? form.view.language, form.view.language);
	const says =
		hint && html`<p class="soft" id="${name}-hint">${fillIn(hint, spoken, shortDate('2026-12-25', form.view))}</p>`;
	const attributes = html`id="${name}" name="${name}"${fieldState(form, name, hint !== undefined)} ${{ markup: more }}`;
	const large = html`<textarea ${attributes} rows="${rows}">${value}</textarea>`;
	const text = rows === undefined ? html`<input ${attributes} value="${value}">` : large;
	// An option needs no end tag. Without end tags, the list of 420 time zones is 4 kB smaller.
	const choices = [...options].map(([each, label]) => {
		const state = html`${each !== label && html` value="${each}"`}${each === value && html` selected`}`;
		return html`<option${state}>${label}`;
	});
	const box = is === 'choice' ? html`<select ${attributes}>${choices}</select>` : text;
	return html`<label for="${name}">${labelOf(name, form.view)}</label>${says}${box}${beside}
`;
}

/** The fields that may stay empty and whose hint does not say so. */
const OPTIONAL: readonly FieldName[] = ['member', 'description'];

/** The label of a field, which says whether the field may stay empty. */
export const labelOf = (name: FieldName, { texts }: Pick<View, 'texts'>): string =>
	OPTIONAL.includes(name) ? fillIn(texts.optional, texts.fields[name]) : texts.fields[name];

function optionsOf({ view }: Form, name: FieldName): ReadonlyMap<string, string> {
	if (name === 'language') return new Map(languages.map((each) => [each, languageName(each)]));
	const { [name]: choices }: Readonly<Partial<Record<string, Readonly<Record<string, string>>>>> = view.texts.choices;
	if (choices !== undefined) return new Map(Object.entries(choices));
	return zonesByPlace(view);
}

/**
 * A question with several check boxes. Each box has a field name of its own, and `name` is the name of the question. If the
 * answer to the question was refused, the first box is marked as wrong, because screen readers announce an error only for a
 * box.
 */
export function ticks(
	form: Form,
	name: 'events' | 'permissions',
	boxes: readonly (readonly [name: string, label: string | Markup])[],
	hint: Markup | false = false,
): Markup {
	const { is_wrong, beside } = fieldValue(form, name);
	const rows = boxes.map(([each, label], index) => {
		const { value, beside } = fieldValue(form, each);
		const state = index === 0 && fieldState(form, name);
		return html`${tick('checkbox', each, 'yes', value, label, state)}${beside}`;
	});
	return html`<fieldset class="ticks"><legend>${form.view.texts.fields[name]}</legend>${rows}${hint}${is_wrong && beside}</fieldset>
`;
}

/**
 * All time zones, by the names of their places, in alphabetical order. The time zones of the workspace's region come first.
 */
function zonesByPlace({ at, language }: View): ReadonlyMap<string, string> {
	const { compare } = new Intl.Collator(language);
	const own = new Set(timeZonesOfRegion(at.workspace.region));
	const named = timeZones(at.workspace.region).map((zone) => [zone, placeOf(zone)] as const);
	return new Map(
		named.sort(([a, left], [b, right]) => Number(own.has(b)) - Number(own.has(a)) || compare(left, right)),
	);
}

/** Returns a function that draws these fields, one below the other. */
export const fields =
	(...names: readonly (keyof typeof FIELDS)[]) =>
	(form: Form): Markup =>
		html`${names.map((name) => field(form, name))}`;

/** The name of a language. It is written in the language `spoken`, which is by default the language itself. */
export const languageName = (language: Language, spoken = language): string =>
	new Intl.DisplayNames([spoken], { type: 'language' }).of(language) ?? language;
