const BREAKS = /[\t-\r\u0085\p{Zl}\p{Zp}]+/gu;
/** Zero-width joiners, which Persian, Hindi and emoji need, and variation selectors, which emoji and Japanese names need. */
const JOINERS = '\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';
/**
 * Characters that are never visible: controls, noncharacters, and what a program without a glyph shows as nothing
 * (Default_Ignorable_Code_Point of UAX 44: direction marks, zero widths, fillers, tags), besides the joiners; and two kinds
 * that Unicode does not count there: an empty Braille pattern, a null note head, and annotation marks.
 */
const UNSEEN = new RegExp(
	`(?![${JOINERS}])[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800\\u{1d159}\\ufff9-\\ufffb]`,
	'gu',
);
/** Joiners with nothing before them. */
const LOOSE = new RegExp(`(?<=^|\\s)[${JOINERS}]+`, 'gu');

/** Marks and format characters that have nothing to stand on. */
const BASELESS = /^[\p{M}\p{Z}\p{Cf}]*$/u;

/**
 * Turns a person's text into one line of visible text: line breaks become spaces, invisible characters are removed. Empty if
 * no character is visible by itself.
 */
export function visibleLine(text: string): string {
	const line = text.replace(BREAKS, ' ').replace(UNSEEN, '').replace(LOOSE, '').trim();
	return BASELESS.test(line) ? '' : line;
}

/** The first `most` UTF-16 units of a text, less half of a character at the end. */
export function cutAt(text: string, most: number): string {
	return text.slice(0, most).replace(/\p{Cs}$/u, '');
}
