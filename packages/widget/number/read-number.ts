import type { Config, NumberGuide } from '../config.ts';
import type { TextKey } from '../words.ts';
import { cleanNumber } from './clean-number.ts';
import { groupInternational, groupNational } from './group-number.ts';

/** The longest E.164 number has 15 digits. No number that can be dialed from abroad has fewer than 7. */
const E164_SHAPE = /^\+[1-9]\d{6,14}$/;

type Numbers = Pick<Config, 'regions' | 'numbers'>;
/** The countries for which there is a guide, and the country (`home`) to which a number without a calling code belongs. */
type Guides = { readonly numbers: readonly NumberGuide[]; readonly home: NumberGuide | undefined };
type RegionNumber = { readonly guide: NumberGuide; readonly national: string };
export type Reading = {
	/** The number to send. Null if it is invalid or ambiguous. */
	readonly e164: string | null;
	/** What was typed so far, in international form with groups. Empty as long as the country is unknown. */
	readonly shown: string;
	/** Whether this number will be called, as far as its numbering plan and the workspace's rules show. */
	readonly willRing: boolean;
	/** The countries among which the visitor can choose, if the number does not say its country. */
	readonly choices: readonly NumberGuide[];
	readonly fault: TextKey | null;
};
export const NOTHING_TYPED: Reading = { e164: null, shown: '', willRing: false, choices: [], fault: 'empty' };

/** Removes the prefix that is dialed only within the country, in the same way as libphonenumber. */
function withoutPrefix({ prefix_pattern, prefix_rule }: NumberGuide, digits: string): string {
	const prefix = new RegExp(`^(?:${prefix_pattern ?? '(?!)'})`);
	const match = prefix.exec(digits);
	const replaces = match && match.length > 1 && match.at(-1);
	return digits.replace(prefix, (replaces && prefix_rule) || '');
}

/**
 * The digits of an international number after its `+` or prefix. The country's own prefix is tried first; `00` works
 * everywhere.
 */
function abroadOf(text: string, home: NumberGuide | undefined): readonly string[] {
	const prefixes = ['\\+', home?.international_prefix ?? '00', '00'];
	return prefixes.flatMap((prefix) => new RegExp(`^(?:${prefix})([1-9]\\d*)$`).exec(text)?.[1] ?? []);
}

/**
 * The national digits that an international number may have in this country, most likely first. Empty if it belongs to
 * another country.
 */
function fromAbroad(guide: NumberGuide, digits: string): readonly string[] {
	if (!digits.startsWith(guide.calling_code)) return [];
	const national = digits.slice(guide.calling_code.length);
	return [withoutPrefix(guide, national), national];
}

/** The national digits that may be meant by what is dialed within a country, most likely first. */
function fromHome(guide: NumberGuide, text: string): readonly string[] {
	return [withoutPrefix(guide, text), text, ...fromAbroad(guide, text)];
}

/** Whether the plan's pattern matches all digits. Without a pattern, no digits match. */
const isWhole = (pattern: string | null, digits: string): boolean =>
	new RegExp(`^(?:${pattern ?? '(?!)'})$`).test(digits);

/** The first of these readings that is a number of the country's plan. Null if none is. */
function numberIn(guide: NumberGuide, readings: readonly string[]): RegionNumber | null {
	const national = readings.find((digits) => digits.length >= guide.shortest && isWhole(guide.pattern, digits));
	return national === undefined ? null : { guide, national };
}

/** The international form of a number, with spaces between its groups. The number may still be incomplete. */
function withSpaces({ guide, national }: RegionNumber): string {
	return `+${guide.calling_code} ${groupNational(national, guide)}`.trim();
}

/** Why these digits are no number of the country. */
function faultOf({ guide, national }: RegionNumber): TextKey {
	if (national.length < guide.shortest) return 'too_short';
	return national.length > guide.longest ? 'too_long' : 'not_in_plan';
}

/** A number of a country for which there is no guide. Only its length and its characters can be checked here. */
function withoutGuide(text: string, abroad: string | undefined, { regions, numbers }: Numbers): Reading {
	const e164 = `+${abroad}`;
	if (E164_SHAPE.test(e164) && regions.length > numbers.length) {
		return { ...NOTHING_TYPED, e164, shown: groupInternational(e164, []), fault: null };
	}
	if (abroad) return { ...NOTHING_TYPED, fault: 'country_not_allowed' };
	return { ...NOTHING_TYPED, fault: text.startsWith('+') ? 'unknown_country' : 'no_plus' };
}

/** Reads `texts` as a number that is dialed within the country. Null if they are no such number. */
function dialledIn(guide: NumberGuide, texts: readonly string[]): RegionNumber | null {
	return numberIn(
		guide,
		texts.flatMap((text) => fromHome(guide, text)),
	);
}

/**
 * Reads `texts` as a complete number: an international number, a number of the home country, or a number of a country with the
 * same calling code. Null if they are no such number.
 */
function completeIn(texts: readonly string[], abroad: readonly string[], guides: Guides): RegionNumber | null {
	const { numbers, home } = guides;
	const complete = abroad.flatMap((digits) =>
		numbers.flatMap((guide) => numberIn(guide, fromAbroad(guide, digits)) ?? []),
	);
	// In a few countries, a national number may begin with the same digits as an international prefix, such as 99 in Finland.
	// This does not happen with prefixes that begin with 0 or 810.
	const international = abroad.length > 0 && /^(?:[+0]|810)/.test(texts[0] ?? '');
	if (complete[0] || !home || international) return complete[0] ?? null;
	const sameCode = numbers.filter((guide) => guide !== home && guide.calling_code === home.calling_code);
	return [home, ...sameCode].flatMap((guide) => dialledIn(guide, texts) ?? [])[0] ?? null;
}

/**
 * The present digits of an international number that belongs to a former numbering plan. Empty if the number belongs to no former
 * plan. The number may then belong to the present plan.
 */
function presentOf({ former = [] }: NumberGuide, digits: string): readonly string[] {
	return former.map(({ pattern, now }) => digits.replace(new RegExp(pattern), now)).filter((now) => now !== digits);
}

/**
 * The present form of a number that belongs to a former numbering plan, such as `044` and ten digits in Mexico. Our rules give
 * each such number exactly one form. Null if the number belongs to no former plan.
 */
function changedIn(
	texts: readonly string[],
	abroad: readonly string[],
	{ numbers, home }: Guides,
): RegionNumber | null {
	const dialled = home && !abroad.length ? texts.flatMap((text) => fromHome(home, text)) : [];
	const written = [...abroad, ...dialled.map((national) => home?.calling_code + national)];
	const present = (guide: NumberGuide) =>
		written.flatMap((digits) => presentOf(guide, digits)).flatMap((digits) => fromAbroad(guide, digits));
	return numbers.flatMap((guide) => numberIn(guide, present(guide)) ?? [])[0] ?? null;
}

/**
 * The countries among which the visitor can choose for a number without a calling code, the workspace's own first. Empty if
 * all of them share one calling code.
 */
function choicesOf({ numbers, home }: Guides): readonly NumberGuide[] {
	return numbers.some(({ calling_code }) => calling_code !== home?.calling_code) ? numbers : [];
}

/**
 * Reads a number as people write it at home or from abroad. If it has no `+` and no international prefix, it is a number of
 * `region`, the country that the visitor chose (by default the workspace's own), or of a country with the same calling code. It
 * is never taken for a number of another country that happens to match. The service decides whether the number exists and may be
 * called.
 */
export function readNumber(typed: string, config: Numbers, region: string): Reading {
	const texts = cleanNumber(typed);
	const [text = ''] = texts;
	if (!text) return NOTHING_TYPED;
	const { numbers } = config;
	const home = numbers.find((guide) => guide.region === region) ?? numbers[0];
	const abroad = texts.flatMap((one) => abroadOf(one, home));
	const choices = abroad.length || !/^\d+$/.test(text) ? [] : choicesOf({ numbers, home });
	const guides = { numbers, home };
	const meaning = completeIn(texts, abroad, guides) ?? changedIn(texts, abroad, guides);
	if (meaning) {
		return {
			e164: `+${meaning.guide.calling_code}${meaning.national}`,
			shown: withSpaces(meaning),
			willRing: isWhole(meaning.guide.ordinary_pattern, meaning.national),
			choices,
			fault: null,
		};
	}
	if (!/^\+?\d*$/.test(text)) return { ...NOTHING_TYPED, fault: 'other_characters' };
	const [digits] = abroad;
	const guide = digits ? numbers.find(({ calling_code }) => digits.startsWith(calling_code)) : home;
	if (!guide || (!digits && text.startsWith('+'))) return withoutGuide(text, digits, config);
	return whyUnread(texts, digits, { guide, choices, config });
}

/** Why the number does not belong to the guide's country. It may belong to another country. */
function whyUnread(
	texts: readonly string[],
	digits: string | undefined,
	{ guide, choices, config }: { guide: NumberGuide; choices: Reading['choices']; config: Numbers },
): Reading {
	const [text = ''] = texts;
	const readings = digits ? fromAbroad(guide, digits) : fromHome(guide, text);
	const [national = ''] = readings;
	const fault = faultOf({ guide, national });
	const unread: Reading = { ...NOTHING_TYPED, shown: withSpaces({ guide, national }), choices, fault };
	if (fault === 'too_short') return unread;
	if (choices.some((home) => dialledIn(home, texts) ?? changedIn(texts, [], { numbers: [home], home })))
		return { ...NOTHING_TYPED, choices, fault: 'choose_country' };
	const neighbour = numberIn({ ...guide, pattern: guide.neighbour_pattern ?? '(?!)', shortest: 0 }, readings);
	return neighbour ? withoutGuide(text, guide.calling_code + neighbour.national, config) : unread;
}
