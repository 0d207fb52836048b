import { PLAIN_CONSENT } from './consent-text.ts';
import { languageOfRegion } from './language.ts';
import type { Workspace } from './workspace.ts';

/** A workspace before any settings: it calls its own region at any hour, speaks that region's language, and has no team. */
export function newWorkspace(
	identity: Pick<Workspace, 'id' | 'name' | 'region' | 'time_zone' | 'workspace_key' | 'created_at'>,
): Workspace {
	return {
		...identity,
		version: 1,
		language: languageOfRegion(identity.region),
		calls_enabled: true,
		origins: [],
		allowed_regions: [identity.region],
		allowed_prefixes: [],
		refused_prefixes: [],
		team: [],
		members_added: 0,
		team_email: null,
		tells_missed_calls: true,
		team_webhook: null,
		caller_number: null,
		ring_strategy: 'simultaneous',
		ring_order: 'agent_first',
		limits: {},
		business_hours: null,
		paused_until: null,
		desk: [],
		consent_text: PLAIN_CONSENT,
		consent_texts: {},
		privacy_links: {},
	};
}
