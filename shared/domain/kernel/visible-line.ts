const BREAKS = /[\t\n\v\f\r\u0085\p{Zl}\p{Zp}]+/gu;
/**
 * Controls, marks that turn the direction of what stands around them (UAX 9), and characters without any width. The joiners
 * stay: Persian, Hindi and emoji are written with them.
 */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u00ad\u200b\u2060-\u2064\u206a-\u206f\ufeff]/gu;

/** A person's words as one line of visible text: line breaks become spaces, unseen characters go. */
export function visibleLine(text: string): string {
	return text.replace(BREAKS, ' ').replace(UNSEEN, '').trim();
}
