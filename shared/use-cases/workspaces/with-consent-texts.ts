import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import type { ConsentTexts } from '../../domain/workspaces/consent-text.ts';
import { languages } from '../../domain/workspaces/language.ts';

/** A workspace's own consent texts after a change: each text that is given replaces one, null takes it back. */
export function withConsentTexts(
	before: ConsentTexts = {},
	given: WorkspaceSettings['consent_texts'] = {},
): ConsentTexts {
	if (given === null) return {};
	const texts = languages.flatMap((language) => {
		const { call, lead } = { ...before[language], ...given[language] };
		return call || lead ? [[language, { ...(call && { call }), ...(lead && { lead }) }] as const] : [];
	});
	return Object.fromEntries(texts);
}
