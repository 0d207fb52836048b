import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import { consentText } from '../../domain/workspaces/consent-text.ts';
import { languages } from '../../domain/workspaces/language.ts';
import { lookOf } from '../../domain/workspaces/look.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';

/**
 * The settings that the workspace of a new department copies from another workspace: on which sites its widget may be, what
 * the widget looks like and says, and whom it may call. Team, hours, addresses, numbers and limits are not copied.
 * `elsewhere`: the new team is in another region, so the region and the time zone are not copied either.
 */
export function settingsLike(workspace: Workspace, elsewhere = false): WorkspaceSettings {
	const { origins, language, consent_text, consent_texts, privacy_links, call_back_texts = [] } = workspace;
	const { region, time_zone, allowed_regions, allowed_prefixes, refused_prefixes } = workspace;
	const covering = languages.filter((each) => call_back_texts.includes(consentText(workspace, each, 'call').id));
	return {
		origins: [...origins],
		language,
		look: lookOf(workspace),
		consent_text,
		consent_texts,
		covers_call_back: Object.fromEntries(covering.map((each) => [each, true])),
		privacy_links,
		allowed_regions: [...allowed_regions],
		allowed_prefixes: [...allowed_prefixes],
		refused_prefixes: [...refused_prefixes],
		...(!elsewhere && { region, time_zone }),
	};
}
