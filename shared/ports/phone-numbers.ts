import type { FormerRule } from '../domain/kernel/former-number.ts';
import type { PhoneNumber, PhoneRefusal } from '../domain/kernel/phone-number.ts';

export type PhoneNumbers = {
	/**
	 * Reads a number as people write it: in international format, or as it is dialled in `home` (ISO 3166-1 alpha-2). Refuses
	 * a number with an extension, and one that its region's plan has neither assigned nor reserved for use.
	 */
	parse(text: string, home?: string): PhoneNumber | PhoneRefusal;
	/** Whether there is a plan for the region (ISO 3166-1 alpha-2). */
	hasRegion(region: string): boolean;
};

/** The number format of one region, with which a form can read numbers as people type them at home. */
export type NumberGuide = {
	readonly region: string;
	readonly calling_code: string;
	/** The prefix of national numbers that is dropped in international ones; null if there is none, as in Italy. */
	readonly trunk_prefix: string | null;
	/**
	 * A regular expression for what precedes a national number: trunk and carrier prefixes, mobile tokens; null for none. If
	 * its last group matches, `prefix_rule` replaces the whole (`9$1`); otherwise the match is dropped.
	 */
	readonly prefix_pattern: string | null;
	readonly prefix_rule: string | null;
	/** A regular expression for what is dialled here before the calling code of another country, such as `011`. */
	readonly international_prefix: string;
	/** An example number in E.164, reserved for fiction if the plan reserves any. */
	readonly example: string;
	/** The example in national format. */
	readonly example_national: string;
	/** A regular expression for the digits after the calling code. */
	readonly pattern: string;
	/** The same for ordinary lines alone, without those that cost more and those that the workspace refuses. */
	readonly ordinary_pattern: string;
	/** The same for numbers of the other regions with this calling code; null if there are none. */
	readonly neighbour_pattern: string | null;
	/** The number of digits of ordinary numbers after the calling code. */
	readonly shortest: number;
	readonly longest: number;
	/** The first match counts: `leading` begins the number, `sizes` are its groups, such as `2 4 4,5`. */
	readonly groups: readonly { readonly leading: string; readonly sizes: string }[];
	/** What has changed in the plan, if people still write its former numbers: rules for E.164 without `+`, in order. */
	readonly former: readonly FormerRule[];
};
export type NumberGuides = {
	/** Null for a region that has no ordinary numbers. */
	guideTo(region: string): NumberGuide | null;
};
