/** Asks for a line behind the number: nothing that could be dialled from here. `x12`, `ext. 12`, `;ext=12`, `#12`, `Durchwahl 12`. */
const EXTENSION =
	/\s*(?:[;#,]|\b(?:ext(?:ensi[oó]n|n)?|x|poste|durchwahl|dw|anexo|interno|تحويلة))[\s.:=a-z]*\d{1,7}\s*$/iu;
/** A number in the middle of a text: begins and ends with a digit, with nothing but punctuation between. */
const RUN = /\+?\(?\d[\d\s.()/\p{Pd}\u2212]{4,}\d/gu;
const PUNCTUATION = /[\s./()[\]\p{Pd}\p{Cf}\u2212]/gu;
const LETTER = /\p{L}/u;

/** Digits of every width, of Arabic and of Persian as 0 to 9. */
function plainDigits(text: string): string {
	return text.normalize('NFKC').replace(/[٠-٩۰-۹]/g, (digit) => `${digit.charCodeAt(0) & 15}`);
}

/** The one number in a text that has words besides; the text itself when there is none, or more than one. */
function onlyNumberIn(text: string): string {
	const runs = (text.match(RUN) ?? []).filter((run) => run.replace(/\D/g, '').length > 6);
	return LETTER.test(text) && runs.length === 1 ? `${runs[0]}` : text;
}

/**
 * What was typed or pasted without punctuation, extension and `tel:`; `00` counts as `+`. Digits and perhaps a leading `+`
 * if it can be a number at all. Two readings where it has the `(0)` that is dialled in some countries and not in others.
 */
export function cleanNumber(typed: string): readonly string[] {
	const text = onlyNumberIn(
		plainDigits(typed)
			.trim()
			.replace(/^tel:/i, '')
			.replace(/;phone-context=.*$/, '')
			.replace(EXTENSION, ''),
	);
	return [text.replace('(0)', ''), text].map((one) => one.replace(PUNCTUATION, '').replace(/^00/, '+'));
}
