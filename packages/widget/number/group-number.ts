import type { NumberGuide } from '../config.ts';

/**
 * A pattern for the groups of a number, for example `^(\d{2})(\d{4})(\d{4})$` for "2 4 4". While a number is being typed,
 * fewer digits match, too.
 */
function shapeOf(sizes: string, whole: boolean): RegExp {
	const groups = sizes.split(' ').map((size) => `(\\d{${whole ? size : `0,${size.split(',').pop()}`}})`);
	return new RegExp(`^${groups.join('')}$`);
}

/** The digits after the calling code, in the groups of the country. This works for an incomplete number, too. */
export function groupNational(national: string, { groups }: Pick<NumberGuide, 'groups'>): string {
	const fitting = groups.filter(({ leading }) => new RegExp(`^(?:${leading})`).test(national));
	for (const whole of [true, false]) {
		for (const { sizes } of fitting) {
			const parts = shapeOf(sizes, whole).exec(national);
			if (parts) return parts.slice(1).filter(Boolean).join(' ');
		}
	}
	return national;
}

/** Calling codes of one and two digits. All others have three (ITU-T E.164). */
const SHORT_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/**
 * A number in E.164 with spaces: in the groups of its country, or in groups of three if there is no guide for the country.
 */
export function groupInternational(e164: string, guides: readonly NumberGuide[]): string {
	const digits = e164.slice(1);
	const guide = guides.find(({ calling_code }) => digits.startsWith(calling_code));
	const code = guide?.calling_code ?? SHORT_CODE.exec(digits)?.[0] ?? digits.slice(0, 3);
	const national = digits.slice(code.length);
	const groups = guide ? groupNational(national, guide) : national.replace(/\d{3}(?=\d{3})/g, '$& ');
	return `+${code} ${groups}`;
}
