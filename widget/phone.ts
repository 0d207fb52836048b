/** The longest E.164 number has 15 digits; no number that can be dialled from abroad has fewer than 7. */
const E164_SHAPE = /^\+[1-9]\d{6,14}$/;

/**
 * The number as the API wants it (`+` and digits), or null when its shape is wrong. Whether such a number exists is for
 * the server to say. Accepts spaces, dots, dashes, slashes, brackets, the `(0)` that nobody dials after a country code,
 * invisible direction marks, `00` for `+`, and Arabic or Persian digits. Where only the USA and Canada are called, ten digits are enough: there they can mean nothing else.
 */
export function readPhone(typed: string, regions: readonly string[]): string | null {
	const digits = typed
		.replace(/[٠-٩۰-۹]/g, (digit) => `${digit.charCodeAt(0) & 15}`)
		.replace('(0)', '')
		.replace(/[\s./()[\]\p{Pd}\p{Cf}]/gu, '')
		.replace(/^00/, '+');
	const northAmerican = regions.every((region) => /US|CA/.test(region));
	const number = northAmerican ? digits.replace(/^1?([2-9]\d{9})$/, '+1$1') : digits;
	return E164_SHAPE.test(number) ? number : null;
}
