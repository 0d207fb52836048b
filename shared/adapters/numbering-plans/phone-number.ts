import { isSupportedCountry, type PhoneNumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { faultOfForm, type PhoneType, plainNumber } from '../../domain/kernel/phone-number.ts';
import type { PhoneNumbers } from '../../ports/phone-numbers.ts';

// US 555-0100 to 555-0199, which are reserved for fiction and used by simulated phones, are valid numbers of their area
// code in libphonenumber's plans, so they need no exception here.

/** Types that are not `other`. A test holds that no expensive number has the type of an ordinary one, too. */
const TYPES: Partial<Record<PhoneNumberType, PhoneType>> = {
	FIXED_LINE: 'fixed',
	FIXED_LINE_OR_MOBILE: 'fixed',
	VOIP: 'fixed',
	MOBILE: 'mobile',
	PREMIUM_RATE: 'premium',
	SHARED_COST: 'shared_cost',
};

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

function parse(text: string, home?: string): ReturnType<PhoneNumbers['parse']> {
	const plain = plainNumber(text);
	const defaultCountry = home !== undefined && isSupportedCountry(home) ? home : undefined;
	const number = parsePhoneNumberFromString(plain, { extract: false, ...(defaultCountry && { defaultCountry }) });
	const global = GLOBAL_CODES.get(number?.countryCallingCode ?? '');
	const region = global ? '001' : number?.country;
	if (number && region && (global || number.isValid())) {
		if (number.ext) return { refused: 'phone_invalid', fault: 'extension' };
		return { e164: number.number, region, type: global ?? TYPES[number.getType() ?? 'UAN'] ?? 'other' };
	}
	return { refused: 'phone_invalid', fault: faultOfForm(plain) ?? (number ? 'not_in_plan' : 'unknown_country') };
}

export const phoneNumbers: PhoneNumbers = { parse, hasRegion: isSupportedCountry };
