import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import { definedFields } from '../../domain/kernel/defined-fields.ts';
import { type ConsentTexts, consentText } from '../../domain/workspaces/consent-text.ts';
import { languages } from '../../domain/workspaces/language.ts';
import { lookOf } from '../../domain/workspaces/look.ts';
import type { PrivacyLinks } from '../../domain/workspaces/privacy-link.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';

/**
 * The workspace with new settings. The team stays as it is, because the caller changes the team. A schema has checked the
 * new settings. Settings that are absent stay as they are.
 */
export function withSettings(before: Workspace, settings: WorkspaceSettings): Workspace {
	const { team: _, limits, consent_texts, covers_call_back, privacy_links, look, ...plain } = settings;
	const after = {
		...before,
		...definedFields(plain),
		limits: { ...before.limits, ...limits },
		consent_texts: withConsentTexts(before.consent_texts, consent_texts),
		privacy_links: withPrivacyLinks(before.privacy_links, privacy_links),
		// An address that an operator enters is used at once, and its owner need not agree. It also replaces an address
		// whose owner was asked but has not agreed yet.
		...(plain.team_email !== undefined && before.team_email_asked && { team_email_asked: null }),
		...(look !== undefined && { look: { ...lookOf(before), ...definedFields(look) } }),
	};
	const texts = callBackTexts(after, covers_call_back);
	return texts.length > 0 || before.call_back_texts ? { ...after, call_back_texts: texts } : after;
}

/**
 * The ids of the consent texts that cover a call back, after a change. For each text, the change may say whether the text
 * covers a call back. If the change does not say this, the text covers a call back if its id is already stored. A text that
 * has changed has a new id.
 */
function callBackTexts(after: Workspace, changes: WorkspaceSettings['covers_call_back'] = {}): readonly string[] {
	const texts = languages.map((language) => ({ language, id: consentText(after, language, 'call').id }));
	const covers = texts.filter(({ language, id }) => changes[language] ?? after.call_back_texts?.includes(id));
	return covers.map(({ id }) => id);
}

/**
 * The workspace's own consent texts after a change. A given text replaces the earlier text for its language and purpose,
 * and null removes the earlier text. If `changes` is null, all texts are removed.
 */
function withConsentTexts(before: ConsentTexts, changes: WorkspaceSettings['consent_texts'] = {}): ConsentTexts {
	if (changes === null) return {};
	const texts = languages.flatMap((language) => {
		const { call, lead } = { ...before[language], ...changes[language] };
		return call || lead ? [[language, { ...(call && { call }), ...(lead && { lead }) }] as const] : [];
	});
	return Object.fromEntries(texts);
}

/**
 * The privacy links after a change. A given link replaces the earlier link for its language, and null removes the earlier
 * link. If `changes` is null, all links are removed.
 */
function withPrivacyLinks(before: PrivacyLinks, changes: WorkspaceSettings['privacy_links'] = {}): PrivacyLinks {
	if (changes === null) return {};
	const links = languages.flatMap((language) => {
		const link = changes[language] === undefined ? before[language] : changes[language];
		return link ? [[language, link] as const] : [];
	});
	return Object.fromEntries(links);
}
