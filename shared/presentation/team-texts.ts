import { languageFiles } from './language-files.ts';
import type en from './texts/team/en.json';

/** The texts of a team's messages and pages. `{0}` and `{1}` are placeholders. */
export type TeamTexts = typeof en;
export type RefusalText = keyof TeamTexts['refusals'];

export const textsIn = languageFiles<TeamTexts>('team');

/**
 * Replaces `{0}`, `{1}` and so on in a text with these values. If a value ends with a full stop, such as `1:00 a.m.`, the
 * sentence that it ends gets no other one.
 */
export function fillIn(text: string, ...values: readonly string[]): string {
	return text.replace(/\{(\d)\}(\.?)/g, (_, place, stop) => {
		const value = values[Number(place)] ?? '';
		return value.endsWith('.') ? value : `${value}${stop}`;
	});
}
