import { visibleLine } from '../domain/kernel/visible-line.ts';
import type { CallbackLead } from '../domain/leads/callback-lead.ts';
import type { Language, TeamLocale } from '../domain/workspaces/language.ts';
import { fillIn, type TeamTexts, textsIn } from './team-texts.ts';

/** Language tags for `Intl` that put the day before the month, and use 24 hours and Western digits. */
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

/** The cached results of `regionalTag`, by language and region. */
const knownTags = new Map<string, string | null>();

/**
 * The tag for dates and times of day: for example `en-US` for a team in the United States, so that the team reads `2:05 PM`
 * and `01/31/2027`. If the region is not given, or does not use the language, this returns the tag of the language alone.
 */
export function tagOf({ language, region }: Pick<TeamLocale, 'language' | 'region'>): string {
	return (region === undefined ? null : regionalTag(language, region)) ?? TAGS[language];
}

/** The tag of a language as its region writes it. Null if `Intl` does not know how the region writes the language. */
export function regionalTag(language: Language, region: string): string | null {
	const plain = `${language}-${region}`;
	const known = knownTags.get(plain);
	if (known !== undefined) return known;
	// We use the same digits and the same calendar everywhere. In some regions, `Intl` would use other digits or another
	// calendar.
	const isKnown = new Intl.DateTimeFormat(plain).resolvedOptions().locale.startsWith(plain);
	const tag = isKnown ? `${plain}-u-ca-gregory-nu-latn` : null;
	knownTags.set(plain, tag);
	return tag;
}

/**
 * The place that a time zone is named after: `New York` for `America/New_York`, `Knox, Indiana` for `America/Indiana/Knox`.
 */
export const placeOf = (zone: string): string =>
	zone.split('/').slice(1).reverse().join(', ').replaceAll('_', ' ') || zone;

/** A time in the team's time zone, with the zone's place: `21 November 2026, 10:00 (Copenhagen)`. */
export function readableTime(at: string, locale: TeamLocale): string {
	const { time_zone: timeZone } = locale;
	const format = new Intl.DateTimeFormat(tagOf(locale), { dateStyle: 'long', timeStyle: 'short', timeZone });
	return `${format.format(new Date(at)).replace(' at ', ', ')} (${placeOf(timeZone)})`;
}

/** A text with a count, in all plural forms of its language. */
type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** The plural form for this count, with the count in place of `{0}`. */
export function countText(forms: PluralForms, count: number, language: Language): string {
	const form = forms[new Intl.PluralRules(TAGS[language]).select(count)] ?? forms.other;
	return fillIn(form, numberIn(language)(count));
}

/** Returns a function that writes whole numbers: `1,234`. With `exceptZero`, it writes a change: `+1,234`. */
export function numberIn(language: Language, signDisplay: 'auto' | 'exceptZero' = 'auto'): (value: number) => string {
	const format = new Intl.NumberFormat(TAGS[language], { signDisplay });
	return (value) => format.format(value);
}

/** Returns a function that writes a share: `58%`. */
export function percentIn(language: Language): (share: number) => string {
	const format = new Intl.NumberFormat(TAGS[language], { style: 'percent' });
	return (share) => format.format(share);
}

/** Protects Latin text, such as a number, so that it is not reordered in an Arabic sentence (LRI and PDI, UAX 9). */
export function withoutMarks(text: string, { dir }: TeamTexts): string {
	return dir === 'rtl' ? `\u2066${text}\u2069` : text;
}

/**
 * A person's words on one line, without anything that a mail program or a chat would turn into a link or a mention: no line
 * breaks, no invisible characters, no `://`, no `@`, no `<` or `>` (`<!channel>`), no `[text](address)`, and a space after
 * every dot inside a word (`J.R. Ewing` becomes `J. R. Ewing`). Compatibility forms are replaced first, because a
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

/** An address in which no chat finds a mention (`/@channel`) or a link of its own (`/[text](address)`). */
export const plainAddress = (url: string): string =>
	url.replace(/[@[\]()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** An address without its query, because a query may contain a secret. */
export function withoutQuery(url: string): string {
	const { host, pathname } = new URL(url);
	return `${host}${pathname}`;
}

/** The visitor's name, or a general word if the visitor gave none. */
export function whoAsked({ name }: Pick<CallbackLead, 'name'>, { language }: TeamLocale): string {
	return oneLine(name ?? '') || textsIn(language).visitor;
}

/** What the visitor wrote about a suitable time for the call. Empty if the visitor wrote nothing. */
export function visitorsNote({ note }: Pick<CallbackLead, 'note'>): string {
	return oneLine(note ?? '');
}

/** At most two initials of a name: `IW` for `Ida Wells`. */
export function initialsOf(name: string): string {
	const words = name.split(/[\s-]+/).filter((word) => /^\p{L}/u.test(word));
	const [first = '', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words;
	return [first, last].map((word) => [...word].slice(0, 1).join('').toLocaleUpperCase()).join('');
}
