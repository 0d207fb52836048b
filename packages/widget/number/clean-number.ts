/** An extension: `x12`, `ext. 12`, `;ext=12`, `#12`, `,,12#`, `Durchwahl 12`. The service cannot dial it. */
const EXTENSION =
	/\s*(?:(?:,,+|;ext=)\s*\d{1,15}|(?:[;#,]|\b(?:ext(?:ensi[oó]n|n)?|x|poste|durchwahl|dw|anexo|interno|تحويلة))[\s.:=a-z]*\d{1,7})\s*#?\s*$/iu;
/** A number within a text. It begins and ends with a digit, and has only digits and punctuation between. */
const RUN = /\+?\(?\d[\d\s.()/\p{Pd}\u2212\u30fc]{4,}\d/gu;
/** Characters around a number that was copied, such as quotation marks, commas or an emoji. */
const DECORATION = /^[^\p{L}\p{N}+(]+|[^\p{L}\p{N}+)#]+$/gu;
const PUNCTUATION = /[\s./()[\]~\p{Pd}\p{Cf}\u2212\u223c\u30fc]/gu;
const LETTER = /\p{L}/u;

/**
 * Converts the digits of every script to 0 to 9. In Unicode, the ten digits of a script follow each other in order, so the
 * value of a digit is the number of digits directly before it. The digits of several scripts may follow each other without a
 * gap. Each script has exactly ten digits, so only the last figure of that number counts.
 */
function plainDigits(text: string): string {
	return text.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
		let before = 0;
		while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - before - 1))) before += 1;
		return `${before % 10}`;
	});
}

/** The only number in a text that also has words. If there is none, or more than one, the text itself. */
function onlyNumberIn(text: string): string {
	const runs = (text.match(RUN) ?? []).filter((run) => run.replace(/\D/g, '').length > 6);
	return LETTER.test(text) && runs.length === 1 ? `${runs[0]}` : text;
}

/**
 * Removes punctuation, the extension and `tel:` from what was typed. If the text can be a number at all, the result has only
 * digits and perhaps a `+` in front. There are two results for a number with `(0)`, because people dial this 0 in some
 * countries but not in others.
 */
export function cleanNumber(typed: string): readonly string[] {
	const text = onlyNumberIn(
		plainDigits(typed)
			.replace(DECORATION, '')
			.replace(/^tel:/i, '')
			.replace(/;phone-context=.*$/, '')
			.replace(EXTENSION, ''),
	);
	return [text.replace('(0)', ''), text].map((one) => one.replace(PUNCTUATION, ''));
}
