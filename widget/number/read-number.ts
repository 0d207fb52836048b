import type { Config, NumberGuide } from '../config.ts';
import type { TextKey } from '../words.ts';
import { cleanNumber } from './clean-number.ts';
import { groupInternational, groupNational } from './group-number.ts';

/** The longest E.164 number has 15 digits; no number that can be dialled from abroad has fewer than 7. */
const E164_SHAPE = /^\+[1-9]\d{6,14}$/;

/** What the service says of the numbers that are called. */
type Numbers = Pick<Config, 'regions' | 'numbers'>;
/** A number of one country: the digits after its calling code. */
type Meant = { readonly guide: NumberGuide; readonly national: string };
export type Reading = {
	/** The number to send; null if it is invalid or ambiguous. */
	readonly e164: string | null;
	/** The input so far in international form, with groups; empty while the country is unknown. */
	readonly shown: string;
	/** The possible countries, if there is more than one. */
	readonly choices: readonly NumberGuide[];
	readonly fault: TextKey | null;
};
export const NOTHING_TYPED: Reading = { e164: null, shown: '', choices: [], fault: 'empty' };

const without = (prefix: string | null, digits: string): string =>
	prefix && digits.startsWith(prefix) ? digits.slice(prefix.length) : digits;

/** The possible national digits of `text` in a country, most likely first. */
function readingsIn({ calling_code, trunk_prefix }: NumberGuide, text: string): readonly string[] {
	// 011 is North America's prefix for international calls.
	const abroad = text.startsWith('+') ? text.slice(1) : calling_code === '1' && without('011', text);
	if (abroad && abroad !== text) {
		if (!abroad.startsWith(calling_code)) return [];
		const national = without(calling_code, abroad);
		return [national, without(trunk_prefix, national)];
	}
	const national = without(calling_code, text);
	return [text, without(trunk_prefix, text), national, without(trunk_prefix, national)];
}

/** The reading of the text in a country, if its plan has such numbers. */
function meantIn(guide: NumberGuide, texts: readonly string[]): Meant | null {
	const plan = new RegExp(`^(?:${guide.pattern})$`);
	const national = texts.flatMap((text) => readingsIn(guide, text)).find((digits) => plan.test(digits));
	return national === undefined ? null : { guide, national };
}

const e164Of = ({ guide, national }: Meant): string => `+${guide.calling_code}${national}`;

/** A possible number in international form, with groups. */
function shown({ guide, national }: Meant): string {
	return `+${guide.calling_code} ${groupNational(national, guide)}`.trim();
}

/** Why it is not a number of a country that the workspace calls. `text` has only digits, perhaps after a `+`. */
function faultOf(text: string, guide: NumberGuide | undefined): TextKey {
	if (!/^\+?\d*$/.test(text)) return 'other_characters';
	if (text.startsWith('+0')) return 'unknown_country';
	if (!guide) return text.startsWith('+') ? 'country_not_allowed' : 'no_plus';
	const digits = readingsIn(guide, text).at(text.startsWith('+') ? -1 : 1) ?? '';
	if (digits.length < guide.shortest) return 'too_short';
	return digits.length > guide.longest ? 'too_long' : 'not_in_plan';
}

/** A number of a country without a guide: only its form can be checked here. */
function withoutGuide(text: string, { regions, numbers }: Numbers): Reading {
	const international = E164_SHAPE.test(text) && regions.length > numbers.length;
	return international
		? { e164: text, shown: groupInternational(text, []), choices: [], fault: null }
		: { ...NOTHING_TYPED, fault: faultOf(text, undefined) };
}

/** While no reading is complete, the country that the digits so far belong to. */
function countryOf(text: string, numbers: readonly NumberGuide[], region: string): NumberGuide | undefined {
	if (text.startsWith('+')) {
		return numbers.find(({ calling_code }) => text.startsWith(`+${calling_code}`));
	}
	return numbers.find((guide) => guide.region === region) ?? numbers[0];
}

/**
 * Reads a number as people write it at home or from abroad. `region`: the country that the visitor chose, or ''. The
 * service decides whether the number exists and may be called.
 */
export function readNumber(typed: string, config: Numbers, region: string): Reading {
	const texts = cleanNumber(typed);
	const [text = ''] = texts;
	if (!text) return NOTHING_TYPED;
	const meant = config.numbers.flatMap((guide) => meantIn(guide, texts) ?? []);
	// The plans of the United States and Canada both match, and give the same number.
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
