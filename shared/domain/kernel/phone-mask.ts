import { callingCodeOf } from './phone-number.ts';

export const SHOWN_DIGITS = 2;
const HIDDEN_DIGITS_AT_LEAST = 4;

/**
 * The number as `+`, the calling code, a star for each hidden digit, and the last two digits. If the number is so short
 * that fewer than four digits would be hidden, the mask shows fewer than two digits.
 */
export function maskPhone(e164: string): string {
	const code = callingCodeOf(e164);
	const national = e164.slice(1 + code.length);
	const visibleDigits = Math.min(SHOWN_DIGITS, Math.max(0, national.length - HIDDEN_DIGITS_AT_LEAST));
	const hiddenDigits = national.length - visibleDigits;
	return `+${code}${'*'.repeat(hiddenDigits)}${national.slice(hiddenDigits)}`;
}
