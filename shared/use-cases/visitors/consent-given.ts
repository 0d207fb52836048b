import { type ConsentCase, consentById } from '../../domain/workspaces/consent-text.ts';
import type { Language } from '../../domain/workspaces/language.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';

type Agreement = {
	readonly workspace: Workspace;
	readonly consent: boolean;
	/** The text that the page showed; without one, the page showed the workspace's `consent_text`. */
	readonly consent_text_id?: string | null | undefined;
};
/** The words that a visitor agreed to; `language` null: the page did not say which text it showed. */
export type ConsentGiven = { readonly text: string; readonly language: Language | null };
export type ConsentRefusal = {
	readonly refused: 'consent_required';
	/** The visitor did not agree, or agreed to words that the workspace does not show for this case. */
	readonly fault: 'not_given' | 'unknown_text';
};

/**
 * The words that a visitor agreed to, as evidence: only what the workspace shows can be agreed to. A page that was opened
 * before a text changed is refused, so that the visitor reads the new one.
 */
export function consentGiven(
	{ workspace, consent, consent_text_id = null }: Agreement,
	purpose: ConsentCase,
): ConsentGiven | ConsentRefusal {
	if (!consent) return { refused: 'consent_required', fault: 'not_given' };
	if (consent_text_id === null) return { text: workspace.consent_text, language: null };
	return consentById(workspace, purpose, consent_text_id) ?? { refused: 'consent_required', fault: 'unknown_text' };
}
