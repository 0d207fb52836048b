/**
 * The type of a number. `fixed` includes internet numbers, and numbers of plans that do not distinguish fixed from mobile
 * (North America). `other`: free-phone, company-wide, personal, pager and voicemail numbers.
 */
export type PhoneType = 'mobile' | 'fixed' | 'premium' | 'shared_cost' | 'satellite' | 'other';

/**
 * A valid number of a numbering plan. Such a number exists only in memory: the table stores only the mask, the hash and the
 * encrypted form of the number.
 */
export type PhoneNumber = {
	/** `+` and at most 15 digits (ITU-T E.164). */
	readonly e164: string;
	/** The ISO 3166-1 alpha-2 code of the country, or `001` for a numbering plan that belongs to no country. */
	readonly region: string;
	readonly type: PhoneType;
};

/** ITU-T E.164: a plus sign and at most 15 digits, of which the first is not 0. We also require at least six digits. */
export const E164 = /^\+[1-9]\d{5,14}$/;
const MAX_E164_CHARS = 16;

/** Country codes as ITU-T E.164 assigns them: one digit (1, 7), two, or three. No code is the beginning of another code. */
const CALLING_CODE = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

/** Why a text is not a number that can be called. */
export const phoneFaults = [
	'empty',
	'other_characters',
	'no_plus',
	'unknown_country',
	'too_short',
	'too_long',
	'extension',
	'not_in_plan',
] as const;
export type PhoneFault = (typeof phoneFaults)[number];
export type PhoneRefusal = { readonly refused: 'phone_invalid'; readonly fault: PhoneFault };

/** Text-direction marks, which a copied number may contain. */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/**
 * Characters that may stand between digits: spaces (also of no width), soft hyphens, dots, slashes, brackets, and dashes,
 * including the Japanese long vowel mark.
 */
const PUNCTUATION = /[\p{Zs}\u200b\u2060\u00ad.\uff0e/\uff0f\p{Pd}\u2212\u30fc()\uff08\uff09[\]\uff3b\uff3d]/gu;

/**
 * Characters around a copied number: quotation marks, commas, an emoji, Markdown. Signs with a meaning, such as `+` or the
 * `#` before an extension, belong to the number. Letters and control characters are not removed.
 */
const DECORATION = /^[^\p{L}\p{N}\p{Cc}+([]+|^[([]+(?=\+)|[^\p{L}\p{N}\p{Cc}+)\]#]+$/gu;

/** The value of a decimal digit of any script. In Unicode, the ten digits of a script follow each other in order. */
function digitValue(digit: string): string {
	const code = digit.codePointAt(0) ?? 0;
	let before = 0;
	while (/^\p{Nd}$/u.test(String.fromCodePoint(code - before - 1))) before += 1;
	return String(before % 10);
}

/**
 * A number as a person typed it, with its digits, spaces, dashes and plus sign in ASCII, and without direction marks,
 * decoration and `tel:`.
 */
export function plainNumber(text: string): string {
	return text
		.replace(DIRECTION_MARKS, '')
		.replace(/\p{Nd}/gu, digitValue)
		.replace(/\uff0b/g, '+')
		.replace(/\p{Zs}/gu, ' ')
		.replace(/[\p{Pd}\uff70]/gu, '-')
		.replace(DECORATION, '')
		.replace(/^tel:/i, '')
		.replace(DECORATION, '');
}

/** Why a text does not have the form of an international number. Null if the text has this form. */
export function faultOfForm(text: string): PhoneFault | null {
	const number = text.replace(PUNCTUATION, '');
	if (number === '') return 'empty';
	if (!/^\+?\d*$/.test(number)) return 'other_characters';
	if (!number.startsWith('+')) return 'no_plus';
	if (number.startsWith('+0')) return 'unknown_country';
	if (number.length > MAX_E164_CHARS) return 'too_long';
	return E164.test(number) ? null : 'too_short';
}

/** The calling code: 49 for `+49...`. */
export function callingCodeOf(e164: string): string {
	return CALLING_CODE.exec(e164)?.[1] ?? '';
}

// Each encrypted number is stored under an owner. A visitor's number belongs to the call or the lead that the visitor
// requested. The evidence of consent has the same owner. A team member's number belongs to that member of the workspace.

export const callOwner = (callId: string): string => `call#${callId}`;
export const leadOwner = (leadId: string): string => `lead#${leadId}`;
export const memberOwner = (workspaceId: string, member: string): string => `team#${workspaceId}#${member}`;
/**
 * The owner of a removed member's number. Release 28086779 kept such a number for an hour. No leg refers to this owner, so
 * the number cannot be dialed.
 */
export const formerMemberOwner = (workspaceId: string, member: string): string => `former#${workspaceId}#${member}`;

/** Whether a visitor's number belongs to a call or to a lead, and the id of that call or lead. */
export function numberSubject(owner: string): { readonly kind: 'call' | 'lead'; readonly id: string } {
	const [kind, id = ''] = owner.split('#');
	return { kind: kind === 'call' ? 'call' : 'lead', id };
}
