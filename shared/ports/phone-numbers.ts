import type { PhoneNumber, PhoneRefusal } from '../domain/kernel/phone-number.ts';

/** The world's numbering plans. */
export type PhoneNumbers = {
	/** Reads a number in international format. Refused unless its region's plan has it assigned or reserved for use. */
	parse(text: string): PhoneNumber | PhoneRefusal;
	/** Whether there is a plan for the region (ISO 3166-1 alpha-2). */
	hasRegion(region: string): boolean;
};

/** How the numbers of one region are written: what a form needs to read them as people type them at home. */
export type NumberGuide = {
	readonly region: string;
	readonly calling_code: string;
	/** What stands before a number at home and is left out from abroad; null where there is nothing, as in Italy. */
	readonly trunk_prefix: string | null;
	/** An example number in E.164, reserved for fiction if the plan reserves any. */
	readonly example: string;
	/** The same as people write it at home. */
	readonly example_national: string;
	/** A regular expression for the digits behind the calling code. */
	readonly pattern: string;
	/** How many digits ordinary numbers have behind the calling code. */
	readonly shortest: number;
	readonly longest: number;
	/** The first fitting one counts: `leading` begins the number, `sizes` are its groups, such as `2 4 4,5`. */
	readonly groups: readonly { readonly leading: string; readonly sizes: string }[];
};
export type NumberGuides = {
	/** Null for a region that has no ordinary numbers. */
	guideTo(region: string): NumberGuide | null;
};
