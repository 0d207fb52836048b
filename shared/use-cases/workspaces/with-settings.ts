import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import { definedFields } from '../../domain/kernel/defined-fields.ts';
import type { ConsentTexts } from '../../domain/workspaces/consent-text.ts';
import { languages } from '../../domain/workspaces/language.ts';
import { lookOf } from '../../domain/workspaces/look.ts';
import type { PrivacyLinks } from '../../domain/workspaces/privacy-link.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';

/** The workspace with new settings but the team's, valid by their schema. Settings that are absent stay as they are. */
export function withSettings(before: Workspace, settings: WorkspaceSettings): Workspace {
	const { team: _, limits, consent_texts, privacy_links, look, ...plain } = settings;
	return {
		...before,
		...definedFields(plain),
		limits: { ...before.limits, ...limits },
		consent_texts: withConsentTexts(before.consent_texts, consent_texts),
		privacy_links: withPrivacyLinks(before.privacy_links, privacy_links),
		...(look !== undefined && { look: { ...lookOf(before), ...definedFields(look) } }),
	};
}

/** A workspace's own consent texts after a change: a text replaces the earlier one, null removes it. */
function withConsentTexts(before: ConsentTexts, changes: WorkspaceSettings['consent_texts'] = {}): ConsentTexts {
	if (changes === null) return {};
	const texts = languages.flatMap((language) => {
		const { call, lead } = { ...before[language], ...changes[language] };
		return call || lead ? [[language, { ...(call && { call }), ...(lead && { lead }) }] as const] : [];
	});
	return Object.fromEntries(texts);
}

/** The links after a change: one replaces the earlier one of its language, null removes it. */
function withPrivacyLinks(before: PrivacyLinks, changes: WorkspaceSettings['privacy_links'] = {}): PrivacyLinks {
	if (changes === null) return {};
	const links = languages.flatMap((language) => {
		const link = changes[language] === undefined ? before[language] : changes[language];
		return link ? [[language, link] as const] : [];
	});
	return Object.fromEntries(links);
}
