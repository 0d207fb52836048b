const BREAKS = /[\t-\r\u0085\p{Zl}\p{Zp}]+/gu;
/**
 * Control characters, marks that change the direction of the surrounding text (UAX 9), and characters without width. The
 * joiners stay, because Persian, Hindi and emoji need them.
 */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u00ad\u200b\u2060-\u2064\u206a-\u206f\ufeff]/gu;

/** Turns a person's text into one line of visible text: line breaks become spaces, invisible characters are removed. */
export function visibleLine(text: string): string {
	return text.replace(BREAKS, ' ').replace(UNSEEN, '').trim();
}
