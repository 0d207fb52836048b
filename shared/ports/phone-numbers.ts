import type { FormerRule } from '../domain/kernel/former-number.ts';
import type { PhoneNumber, PhoneRefusal } from '../domain/kernel/phone-number.ts';

export type PhoneNumbers = {
	/**
	 * Reads a number as people write it: in international format, or as it is dialed in the region `home` (ISO 3166-1
	 * alpha-2). Refuses a number with an extension, and a number that the numbering plan of its region has neither assigned
	 * nor reserved.
	 */
	parse(text: string, home?: string): PhoneNumber | PhoneRefusal;
	/** Whether there is a numbering plan for the region (ISO 3166-1 alpha-2). */
	hasRegion(region: string): boolean;
};

/** How numbers of one region are written. With this guide, a form can read numbers as people in that region type them. */
export type NumberGuide = {
	readonly region: string;
	readonly calling_code: string;
	/** The prefix of national numbers that is left out in international numbers. Null if there is none, as in Italy. */
	readonly trunk_prefix: string | null;
	/**
	 * A regular expression for what comes before a national number: trunk prefixes, carrier prefixes, and digits for mobile
	 * phones. Null if there is nothing. If its last group matches, `prefix_rule` replaces the whole match (`9$1`).
	 * Otherwise the match is removed.
	 */
	readonly prefix_pattern: string | null;
	readonly prefix_rule: string | null;
	/** A regular expression for what people here dial before the calling code of another country, such as `011`. */
	readonly international_prefix: string;
	/** An example in E.164. If the plan reserves numbers for fiction, the example is such a number. */
	readonly example: string;
	/** The example in national format. */
	readonly example_national: string;
	/** A regular expression for the digits after the calling code. */
	readonly pattern: string;
	/** Like `pattern`, but only for ordinary lines: without lines that cost more and lines that the workspace refuses. */
	readonly ordinary_pattern: string;
	/**
	 * Like `pattern`, but for numbers of the other regions that share this calling code. Null if no other region shares
	 * this calling code.
	 */
	readonly neighbour_pattern: string | null;
	/** The fewest digits (`shortest`) and the most digits (`longest`) that ordinary numbers have after the calling code. */
	readonly shortest: number;
	readonly longest: number;
	/**
	 * How the digits are grouped. The first entry that matches is used: `leading` matches the beginning of the number,
	 * `sizes` are its groups, such as `2 4 4,5`.
	 */
	readonly groups: readonly { readonly leading: string; readonly sizes: string }[];
	/**
	 * Rules that turn former numbers that people still write into current numbers. The rules apply in this order, to a
	 * number in E.164 without `+`.
	 */
	readonly former: readonly FormerRule[];
};
export type NumberGuides = {
	/** Null if the region has no numbering plan, or if no example of its numbers is known. */
	guideTo(region: string): NumberGuide | null;
};
