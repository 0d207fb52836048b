import {
	isSupportedCountry,
	type PhoneNumber as ParsedNumber,
	type PhoneNumberType,
	parsePhoneNumberFromString,
} from 'libphonenumber-js/max/es6';
import { formerRegions, formerRulesOf } from '../../domain/kernel/former-number.ts';
import { faultOfForm, type PhoneNumber, type PhoneType, plainNumber } from '../../domain/kernel/phone-number.ts';
import type { PhoneNumbers } from '../../ports/phone-numbers.ts';

// The US numbers 555-0100 to 555-0199 are reserved for fiction, and the simulated phones use them. In the plans of
// libphonenumber they are valid numbers of their area code, so they need no exception here.

/** All types that are not listed are `other`. A test checks that no expensive number has the type of an ordinary number. */
const TYPES: Partial<Record<PhoneNumberType, PhoneType>> = {
	FIXED_LINE: 'fixed',
	FIXED_LINE_OR_MOBILE: 'fixed',
	VOIP: 'fixed',
	MOBILE: 'mobile',
	PREMIUM_RATE: 'premium',
	SHARED_COST: 'shared_cost',
};

/** E.164 codes that belong to no country: satellite and global networks, premium and shared-cost services. */
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

/** The number, if a numbering plan contains it; otherwise null. If a number has a global code, only the code is checked. */
function assigned(number: ParsedNumber | undefined): PhoneNumber | null {
	const global = GLOBAL_CODES.get(number?.countryCallingCode ?? '');
	const region = global ? '001' : number?.country;
	if (!number || !region || !(global || number.isValid())) return null;
	return { e164: number.number, region, type: global ?? TYPES[number.getType() ?? 'UAN'] ?? 'other' };
}

/**
 * The current form of a number from a former numbering plan. Null if the number has no current form, or may have several.
 */
function presentOf({ number }: ParsedNumber): PhoneNumber | null {
	const present = new Map<string, PhoneNumber>();
	for (const { pattern, now } of formerRegions.flatMap(formerRulesOf)) {
		const changed = number.slice(1).replace(new RegExp(pattern), now);
		if (changed === number.slice(1)) continue;
		const phone = assigned(parsePhoneNumberFromString(`+${changed}`, { extract: false }));
		if (phone) present.set(phone.e164, phone);
	}
	const [only, ...others] = present.values();
	return only && others.length === 0 ? only : null;
}

function parse(text: string, home?: string): ReturnType<PhoneNumbers['parse']> {
	const plain = plainNumber(text);
	const defaultCountry = home !== undefined && isSupportedCountry(home) ? home : undefined;
	const number = parsePhoneNumberFromString(plain, { extract: false, ...(defaultCountry && { defaultCountry }) });
	const phone = number && (assigned(number) ?? presentOf(number));
	if (phone) return number.ext ? { refused: 'phone_invalid', fault: 'extension' } : phone;
	return { refused: 'phone_invalid', fault: faultOfForm(plain) ?? (number ? 'not_in_plan' : 'unknown_country') };
}

export const phoneNumbers: PhoneNumbers = { parse, hasRegion: isSupportedCountry };
