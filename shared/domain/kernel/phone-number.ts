/**
 * The type of a number. `fixed`: also internet numbers, and plans that do not distinguish fixed from mobile (North
 * America). `other`: free-phone, company-wide, personal, pager and voicemail numbers.
 */
export type PhoneType = 'mobile' | 'fixed' | 'premium' | 'shared_cost' | 'satellite' | 'other';

/** A valid number of a numbering plan. It exists in memory only: we store its mask, its hash and its sealed form. */
export type PhoneNumber = {
	/** `+` and at most 15 digits (ITU-T E.164). */
	readonly e164: string;
	/** ISO 3166-1 alpha-2 of the numbering plan; `001` for those of no country. */
	readonly region: string;
	readonly type: PhoneType;
};

/** Spaces, dots, dashes, brackets, and the invisible direction marks of a pasted number. We drop nothing else. */
const PUNCTUATION = /[\p{Zs}.\p{Pd}\u2212()[\]\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** ITU-T E.164: a plus sign and at most 15 digits, of which the first is not 0. */
export const E164 = /^\+[1-9]\d{5,14}$/;
const MAX_E164_CHARS = 16;

/** Country codes as ITU-T E.164 assigns them: one digit (1, 7), two, or three. No code begins another. */
const CALLING_CODE = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

const SHOWN_DIGITS = 2;
const HIDDEN_DIGITS_AT_LEAST = 4;

/** Why a text is not a number that can be called. */
export const phoneFaults = [
	'empty',
	'other_characters',
	'no_plus',
	'unknown_country',
	'too_short',
	'too_long',
	'not_in_plan',
] as const;
export type PhoneFault = (typeof phoneFaults)[number];
export type PhoneRefusal = { readonly refused: 'phone_invalid'; readonly fault: PhoneFault };

/** Why a text without punctuation does not have the form of E.164. */
function faultOf(number: string): PhoneFault {
	if (number === '') return 'empty';
	if (!/^\+?\d*$/.test(number)) return 'other_characters';
	if (!number.startsWith('+')) return 'no_plus';
	if (number.startsWith('+0')) return 'unknown_country';
	return number.length > MAX_E164_CHARS ? 'too_long' : 'too_short';
}

/** Parses an international number as people write it into the form of E.164, or returns the reason why it is not one. */
export function readInternational(text: string): { readonly e164: string } | PhoneRefusal {
	const number = text.replace(PUNCTUATION, '');
	return E164.test(number) ? { e164: number } : { refused: 'phone_invalid', fault: faultOf(number) };
}

/** The calling code: 49 for `+49...`. */
export function callingCodeOf(e164: string): string {
	return CALLING_CODE.exec(e164)?.[1] ?? '';
}

/** `+`, the calling code, a star for each hidden digit, the last two digits; at least four are hidden. */
export function maskPhone(e164: string): string {
	const code = callingCodeOf(e164);
	const national = e164.slice(1 + code.length);
	const visible_digits = Math.min(SHOWN_DIGITS, Math.max(0, national.length - HIDDEN_DIGITS_AT_LEAST));
	const hidden_digits = national.length - visible_digits;
	return `+${code}${'*'.repeat(hidden_digits)}${national.slice(hidden_digits)}`;
}

// The owner of a sealed number. A visitor's number belongs to its call or lead, which also identifies the evidence of
// consent; a team member's number belongs to the workspace and the member's position.

export const callOwner = (call_id: string): string => `call#${call_id}`;
export const leadOwner = (lead_id: string): string => `lead#${lead_id}`;
export const memberOwner = (workspace_id: string, member: number): string => `team#${workspace_id}#${member}`;

/** The record that a visitor's number belongs to. */
export function subjectOf(owner: string): { readonly kind: 'call' | 'lead'; readonly id: string } {
	const [kind, id = ''] = owner.split('#');
	return { kind: kind === 'call' ? 'call' : 'lead', id };
}
