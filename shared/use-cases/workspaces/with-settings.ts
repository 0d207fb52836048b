import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import type { ConsentTexts } from '../../domain/workspaces/consent-text.ts';
import { languages } from '../../domain/workspaces/language.ts';
import type { PrivacyLinks } from '../../domain/workspaces/privacy-link.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';

/** The workspace with new settings, which are valid by their schema. Settings that are absent stay as they are. */
export function withSettings(before: Workspace, settings: WorkspaceSettings, team: Workspace['team']): Workspace {
	return {
		...before,
		name: settings.name ?? before.name,
		region: settings.region ?? before.region,
		...optionalSettings(settings),
		calls_enabled: settings.calls_enabled ?? before.calls_enabled,
		origins: settings.origins ?? before.origins,
		allowed_regions: settings.allowed_regions ?? before.allowed_regions,
		allowed_prefixes: settings.allowed_prefixes ?? before.allowed_prefixes ?? [],
		refused_prefixes: settings.refused_prefixes ?? before.refused_prefixes ?? [],
		team,
		team_email: settings.team_email === undefined ? before.team_email : settings.team_email,
		ring_strategy: settings.ring_strategy ?? before.ring_strategy,
		ring_order: settings.ring_order ?? before.ring_order,
		limits: { ...before.limits, ...settings.limits },
		business_hours: settings.business_hours === undefined ? before.business_hours : settings.business_hours,
		consent_text: settings.consent_text ?? before.consent_text,
		consent_texts: withConsentTexts(before.consent_texts, settings.consent_texts),
		privacy_links: withPrivacyLinks(before.privacy_links, settings.privacy_links),
	};
}

/** The changed ones of the settings that a workspace may lack. */
function optionalSettings({ language, tells_missed_calls, caller_number, paused_until }: WorkspaceSettings) {
	return {
		...(language !== undefined && { language }),
		...(tells_missed_calls !== undefined && { tells_missed_calls }),
		...(caller_number !== undefined && { caller_number }),
		...(paused_until !== undefined && { paused_until }),
	};
}

/** A workspace's own consent texts after a change: a text replaces the earlier one, null removes it. */
function withConsentTexts(before: ConsentTexts = {}, changes: WorkspaceSettings['consent_texts'] = {}): ConsentTexts {
	if (changes === null) return {};
	const texts = languages.flatMap((language) => {
		const { call, lead } = { ...before[language], ...changes[language] };
		return call || lead ? [[language, { ...(call && { call }), ...(lead && { lead }) }] as const] : [];
	});
	return Object.fromEntries(texts);
}

/** The links after a change: one replaces the earlier one of its language, null removes it. */
function withPrivacyLinks(before: PrivacyLinks = {}, changes: WorkspaceSettings['privacy_links'] = {}): PrivacyLinks {
	if (changes === null) return {};
	const links = languages.flatMap((language) => {
		const link = changes[language] === undefined ? before[language] : changes[language];
		return link ? [[language, link] as const] : [];
	});
	return Object.fromEntries(links);
}
