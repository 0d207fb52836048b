import { callingCodeOf, type PhoneType, readInternational } from '../../domain/kernel/phone-number.ts';
import type { PhoneNumbers } from '../../ports/phone-numbers.ts';
import numberingPlans from './numbering-plans.json' with { type: 'json' };

// Numbering plans of libphonenumber (Apache 2.0), reduced by tools/generate/numbering-plans.ts to the data that decides whether a
// number exists, its region and its type. US 555-0100 to 555-0199, which are reserved for fiction and used by simulated
// phones, are valid numbers of their area code in these plans, so they need no exception here.

const plans = new Map<string, readonly (readonly string[])[]>(Object.entries(numberingPlans));

/**
 * Positions in a plan after region and leading digits. Expensive types come first, so that an ambiguous number is refused.
 */
const KINDS: readonly PhoneType[] = ['premium', 'shared_cost', 'fixed', 'mobile', 'other'];

/** Codes of ITU-T E.164 that belong to no country: satellite and global networks, premium and shared-cost services. */
const GLOBAL_CODES = new Map<string, PhoneType>([
	['800', 'other'],
	['808', 'shared_cost'],
	['870', 'satellite'],
	['878', 'other'],
	['881', 'satellite'],
	['882', 'satellite'],
	['883', 'satellite'],
	['888', 'other'],
	['979', 'premium'],
]);

function matches(pattern: string, national: string, end: '$' | ''): boolean {
	return new RegExp(`^(?:${pattern.replaceAll('d', '\\d')})${end}`).test(national);
}

/** The type of the number in the region's plan; null if the plan does not contain it. */
function kindOf(national: string, patterns: readonly string[]): PhoneType | null {
	const position = patterns.findIndex((pattern) => pattern !== '' && matches(pattern, national, '$'));
	return KINDS[position] ?? null;
}

/**
 * Finds region and type. Leading digits distinguish regions that share a calling code, where they exist (+1 876 is Jamaica,
 * whether or not the number exists); otherwise the first region whose patterns match counts.
 */
function parse(text: string): ReturnType<PhoneNumbers['parse']> {
	const international = readInternational(text);
	if ('refused' in international) return international;
	const { e164 } = international;
	const code = callingCodeOf(e164);
	const national = e164.slice(1 + code.length);
	const global = GLOBAL_CODES.get(code);
	if (global !== undefined) return { e164, region: '001', type: global };
	const regions = plans.get(code);
	if (regions === undefined) return { refused: 'phone_invalid', fault: 'unknown_country' };
	for (const [region = '', leading = '', ...patterns] of regions) {
		if (leading !== '' && !matches(leading, national, '')) continue;
		const type = kindOf(national, patterns);
		if (type !== null) return { e164, region, type };
		if (leading !== '') break;
	}
	return { refused: 'phone_invalid', fault: 'not_in_plan' };
}

function hasRegion(region: string): boolean {
	return [...plans.values()].some((regions) => regions.some(([name]) => name === region));
}

export const phoneNumbers: PhoneNumbers = { parse, hasRegion };
