import { callingCodeOf } from './phone-number.ts';

export const SHOWN_DIGITS = 2;
const HIDDEN_DIGITS_AT_LEAST = 4;

/** `+`, the calling code, a star for each hidden digit, the last two digits; at least four are hidden. */
export function maskPhone(e164: string): string {
	const code = callingCodeOf(e164);
	const national = e164.slice(1 + code.length);
	const visible_digits = Math.min(SHOWN_DIGITS, Math.max(0, national.length - HIDDEN_DIGITS_AT_LEAST));
	const hidden_digits = national.length - visible_digits;
	return `+${code}${'*'.repeat(hidden_digits)}${national.slice(hidden_digits)}`;
}
