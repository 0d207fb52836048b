import { visibleLine } from '../domain/kernel/visible-line.ts';
import type { CallbackLead } from '../domain/leads/callback-lead.ts';
import type { Language, TeamLocale } from '../domain/workspaces/language.ts';
import { fillIn, type TeamTexts, textsIn } from './team-texts.ts';

/** Tags for `Intl`: day before month, 24 hours, Western digits. */
export const TAGS: Readonly<Record<Language, string>> = {
	en: 'en-GB',
	de: 'de',
	es: 'es',
	fr: 'fr',
	ar: 'ar-u-nu-latn',
	it: 'it',
	nl: 'nl',
	pt: 'pt-BR',
	pl: 'pl',
	tr: 'tr',
};

/** Tags that `Intl` knows as they are, by the tag; null: it would write them as another region does. */
const knownTags = new Map<string, string | null>();

/**
 * The tag for dates and the clock: `en-US` for a team in the United States, so that it reads `2:05 PM` and `01/31/2027`. Where
 * the language is not spoken in the region, and without a region, it is the tag of the language.
 */
export function tagOf({ language, region }: Pick<TeamLocale, 'language' | 'region'>): string {
	return (region === undefined ? null : regionalTag(language, region)) ?? TAGS[language];
}

/** The tag of a language as its region writes it; null: `Intl` does not know how. */
export function regionalTag(language: Language, region: string): string | null {
	const plain = `${language}-${region}`;
	const known = knownTags.get(plain);
	if (known !== undefined) return known;
	// The digits and the calendar stay ours: in some regions, `Intl` would take others.
	const isKnown = new Intl.DateTimeFormat(plain).resolvedOptions().locale.startsWith(plain);
	const tag = isKnown ? `${plain}-u-ca-gregory-nu-latn` : null;
	knownTags.set(plain, tag);
	return tag;
}

/** The place that a time zone is named after: `New York` of `America/New_York`, `Knox, Indiana` of `America/Indiana/Knox`. */
export const placeOf = (zone: string): string =>
	zone.split('/').slice(1).reverse().join(', ').replaceAll('_', ' ') || zone;

/** `21 November 2026, 10:00 (Copenhagen)`, on the team's clock. */
export function readableTime(at: string, locale: TeamLocale): string {
	const { time_zone: timeZone } = locale;
	const format = new Intl.DateTimeFormat(tagOf(locale), { dateStyle: 'long', timeStyle: 'short', timeZone });
	return `${format.format(new Date(at)).replace(' at ', ', ')} (${placeOf(timeZone)})`;
}

/** A text with a count: its forms by the plural categories of its language. */
type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** The form for this count. The count replaces `{0}`. */
export function countText(forms: PluralForms, count: number, language: Language): string {
	const form = forms[new Intl.PluralRules(TAGS[language]).select(count)] ?? forms.other;
	return fillIn(form, numberIn(language)(count));
}

/** Writes whole numbers: `1,234`. */
export function numberIn(language: Language): (value: number) => string {
	const format = new Intl.NumberFormat(TAGS[language]);
	return (value) => format.format(value);
}

/** Writes a share: `58%`. `exceptZero`: of a change, such as `+58%`. */
export function percentIn(language: Language, signDisplay: 'auto' | 'exceptZero' = 'auto'): (share: number) => string {
	const format = new Intl.NumberFormat(TAGS[language], { style: 'percent', signDisplay });
	return (share) => format.format(share);
}

/** Isolates Latin text such as a number, so that an Arabic sentence does not reorder it (LRI and PDI, UAX 9). */
export function withoutMarks(text: string, { dir }: TeamTexts): string {
	return dir === 'rtl' ? `\u2066${text}\u2069` : text;
}

/**
 * A person's words on one line without anything that a mail client would turn into a link, or a chat into a link or a
 * mention: no line breaks, no invisible characters; no `://`, no `@`, no `<` or `>` (`<!channel>`), no `[text](address)`,
 * and a space after every dot inside a word (`J.R. Ewing` is `J. R. Ewing`). Compatibility forms first, because a
 * full-width dot counts as a dot in a domain (UTS 46).
 */
export function oneLine(text: string): string {
	return visibleLine(text.normalize('NFKC'))
		.replaceAll('<', '\u2039')
		.replaceAll('>', '\u203a')
		.replace(/:\/+/g, ' ')
		.replace(/@/g, ' (at) ')
		.replace(/\](?=[[(:])/g, '] ')
		.replace(/[.\u3002](?=[^\s.])/gu, '. ')
		.trim();
}

/** An address as text. No chat finds a mention (`/@channel`) or a link of its own (`/[text](address)`) in it. */
export const plainAddress = (url: string): string =>
	url.replace(/[@[\]()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** An address without its query, which may hold a secret. */
export function withoutQuery(url: string): string {
	const { host, pathname } = new URL(url);
	return `${host}${pathname}`;
}

/** The visitor's name, or a generic word if they gave none. */
export function whoAsked({ name }: Pick<CallbackLead, 'name'>, { language }: TeamLocale): string {
	return oneLine(name ?? '') || textsIn(language).visitor;
}

/** When a call would suit the visitor, in their own words; empty if they said nothing. */
export function visitorsNote({ note }: Pick<CallbackLead, 'note'>): string {
	return oneLine(note ?? '');
}

/** Up to two initials of a name: `IW` for `Ida Wells`. */
export function initialsOf(name: string): string {
	const words = name.split(/[\s-]+/).filter((word) => /^\p{L}/u.test(word));
	const [first = '', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words;
	return [first, last].map((word) => [...word].slice(0, 1).join('').toLocaleUpperCase()).join('');
}
