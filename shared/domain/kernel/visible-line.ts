const BREAKS = /[\t-\r\u0085\p{Zl}\p{Zp}]+/gu;
/**
 * Zero-width joiners, which Persian, Hindi and emoji need, and variation selectors, which emoji and Japanese names need.
 */
const JOINERS = '\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';
/**
 * Characters that are never visible: control characters, noncharacters, and characters that a program without a glyph for
 * them shows as nothing (Default_Ignorable_Code_Point of UAX 44: direction marks, zero widths, fillers, tags). The joiners
 * are excluded. Three kinds of characters are included although UAX 44 does not list them: an empty Braille pattern, a null
 * note head, and annotation marks.
 */
const UNSEEN = new RegExp(
	`(?![${JOINERS}])[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800\\u{1d159}\\ufff9-\\ufffb]`,
	'gu',
);
/** Joiners at the start of a text or after white space, where they join nothing. */
const LOOSE = new RegExp(`(?<=^|\\s)[${JOINERS}]+`, 'gu');

/**
 * A text that consists only of combining marks, spaces and format characters. Such a text shows nothing, because it has no
 * letter or sign.
 */
const BASELESS = /^[\p{M}\p{Z}\p{Cf}]*$/u;

/**
 * Turns a person's text into one line of visible text. Line breaks become spaces, and invisible characters are removed. If
 * no character is visible by itself, the result is empty.
 */
export function visibleLine(text: string): string {
	const line = text.replace(BREAKS, ' ').replace(UNSEEN, '').replace(LOOSE, '').trim();
	return BASELESS.test(line) ? '' : line;
}

/**
 * The first `most` UTF-16 units of a text. If the cut divides a surrogate pair, the first half of the pair is removed, too.
 */
export function cutAt(text: string, most: number): string {
	return text.slice(0, most).replace(/\p{Cs}$/u, '');
}

/** A text of at most `most` characters. A longer text is cut and ends with an ellipsis. */
export const shortened = (text: string, most: number): string => (text.length > most ? `${cutAt(text, most)}…` : text);
