import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import type { ConsentTexts } from '../../domain/workspaces/consent-text.ts';
import { languages } from '../../domain/workspaces/language.ts';
import type { PrivacyLinks } from '../../domain/workspaces/privacy-link.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';

/** The workspace with new settings, which are valid by their schema. Settings that are absent stay as they are. */
export function withSettings(before: Workspace, settings: WorkspaceSettings, team: Workspace['team']): Workspace {
	return {
		...before,
		name: after(settings.name, before.name),
		region: after(settings.region, before.region),
		language: after(settings.language, before.language),
		calls_enabled: after(settings.calls_enabled, before.calls_enabled),
		origins: after(settings.origins, before.origins),
		allowed_regions: after(settings.allowed_regions, before.allowed_regions),
		allowed_prefixes: after(settings.allowed_prefixes, before.allowed_prefixes),
		refused_prefixes: after(settings.refused_prefixes, before.refused_prefixes),
		team,
		team_email: after(settings.team_email, before.team_email),
		tells_missed_calls: after(settings.tells_missed_calls, before.tells_missed_calls),
		caller_number: after(settings.caller_number, before.caller_number),
		ring_strategy: after(settings.ring_strategy, before.ring_strategy),
		ring_order: after(settings.ring_order, before.ring_order),
		limits: { ...before.limits, ...settings.limits },
		business_hours: after(settings.business_hours, before.business_hours),
		paused_until: after(settings.paused_until, before.paused_until),
		consent_text: after(settings.consent_text, before.consent_text),
		consent_texts: withConsentTexts(before.consent_texts, settings.consent_texts),
		privacy_links: withPrivacyLinks(before.privacy_links, settings.privacy_links),
	};
}

/** A setting's new value; null is one. */
const after = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value);

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
