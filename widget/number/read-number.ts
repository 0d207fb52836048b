import type { PhoneFault } from '../../shared/domain/kernel/phone-number.ts';
import type { Config, NumberGuide } from '../config.ts';
import type { TextKey } from '../words.ts';
import { cleanNumber } from './clean-number.ts';
import { groupNational } from './group-number.ts';

/** The longest E.164 number has 15 digits; no number that can be dialled from abroad has fewer than 7. */
const E164_SHAPE = /^\+[1-9]\d{6,14}$/;

/** What can be wrong with a number, as the service names it; each is also the key of its text. */
export const phoneFaults = [
	'empty',
	'other_characters',
	'no_plus',
	'unknown_country',
	'too_short',
	'too_long',
	'not_in_plan',
] as const satisfies readonly PhoneFault[];

/** A number of one country: the digits behind its calling code. */
type Meant = { readonly guide: NumberGuide; readonly national: string };
export type Reading = {
	/** What is sent; null when it is not a number, or more than one could be meant. */
	readonly e164: string | null;
	/** As far as it is typed, in international form with its groups; empty when the country is open. */
	readonly shown: string;
	/** The countries that could be meant, when there is more than one. */
	readonly choices: readonly NumberGuide[];
	readonly fault: TextKey | null;
};
export const NOTHING_TYPED: Reading = { e164: null, shown: '', choices: [], fault: 'empty' };

const without = (prefix: string | null, digits: string): string =>
	prefix && digits.startsWith(prefix) ? digits.slice(prefix.length) : digits;

/** The national digits that `text` could stand for in a country, likeliest first. */
function readingsIn({ calling_code, trunk_prefix }: NumberGuide, text: string): readonly string[] {
	// 011 is how North America dials abroad.
	const abroad = text.startsWith('+') ? text.slice(1) : calling_code === '1' && without('011', text);
	if (abroad && abroad !== text) {
		if (!abroad.startsWith(calling_code)) return [];
		const national = without(calling_code, abroad);
		return [national, without(trunk_prefix, national)];
	}
	const national = without(calling_code, text);
	return [text, without(trunk_prefix, text), national, without(trunk_prefix, national)];
}

/** What the text stands for in a country, if it has such numbers. */
function meantIn(guide: NumberGuide, texts: readonly string[]): Meant | null {
	const plan = new RegExp(`^(?:${guide.pattern})$`);
	const national = texts.flatMap((text) => readingsIn(guide, text)).find((digits) => plan.test(digits));
	return national === undefined ? null : { guide, national };
}

const e164Of = ({ guide, national }: Meant): string => `+${guide.calling_code}${national}`;

/** A number that could be meant, in international form with its groups. */
function shown({ guide, national }: Meant): string {
	return `+${guide.calling_code} ${groupNational(national, guide)}`.trim();
}

/** Why it is no number of the countries that are called. `text` has digits only, and perhaps a `+` before them. */
function faultOf(text: string, guide: NumberGuide | undefined): TextKey {
	if (!/^\+?\d*$/.test(text)) return 'other_characters';
	if (text.startsWith('+0')) return 'unknown_country';
	if (!guide) return text.startsWith('+') ? 'country_not_allowed' : 'no_plus';
	const digits = readingsIn(guide, text).at(text.startsWith('+') ? -1 : 1) ?? '';
	if (digits.length < guide.shortest) return 'too_short';
	return digits.length > guide.longest ? 'too_long' : 'not_in_plan';
}

/** A number of a country that has no guide: only its shape can be judged here. */
function withoutGuide(text: string, { regions, numbers }: Config): Reading {
	const international = E164_SHAPE.test(text) && regions.length > numbers.length;
	return international
		? { e164: text, shown: text, choices: [], fault: null }
		: { ...NOTHING_TYPED, fault: faultOf(text, undefined) };
}

/** Where nothing is whole yet, the country that the digits belong to so far. */
function countryOf(text: string, numbers: readonly NumberGuide[], region: string): NumberGuide | undefined {
	if (text.startsWith('+')) {
		return numbers.find(({ calling_code }) => text.startsWith(`+${calling_code}`));
	}
	return numbers.find((guide) => guide.region === region) ?? numbers[0];
}

/**
 * Reads a number as people write it at home or from abroad. `region`: the country that the visitor chose, or ''. Whether
 * such a number exists and may be called is for the service to say.
 */
export function readNumber(typed: string, config: Config, region: string): Reading {
	const texts = cleanNumber(typed);
	const [text = ''] = texts;
	if (!text) return NOTHING_TYPED;
	const meant = config.numbers.flatMap((guide) => meantIn(guide, texts) ?? []);
	// The United States and Canada read one number in two plans, and mean the same.
	const distinct = [...new Map(meant.map((one) => [e164Of(one), one])).values()];
	const choices = distinct.length > 1 ? distinct.map(({ guide }) => guide) : [];
	const chosen = distinct.find(({ guide }) => guide.region === region) ?? (choices.length ? undefined : distinct[0]);
	if (chosen) return { e164: e164Of(chosen), shown: shown(chosen), choices, fault: null };
	if (choices.length) return { ...NOTHING_TYPED, choices, fault: 'choose_country' };
	const guide = countryOf(text, config.numbers, region);
	const fault = faultOf(text, guide);
	if (!guide) return withoutGuide(text, config);
	const national = readingsIn(guide, text).at(text.startsWith('+') ? -1 : 1) ?? '';
	const open = config.numbers.length > 1 && !text.startsWith('+') && !region;
	return { ...NOTHING_TYPED, fault, shown: open || fault === 'other_characters' ? '' : shown({ guide, national }) };
}
