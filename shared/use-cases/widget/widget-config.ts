import { closesAt, teamState } from '../../domain/workspaces/business-hours.ts';
import { consentText } from '../../domain/workspaces/consent-text.ts';
import { knownLanguage } from '../../domain/workspaces/language.ts';
import { lookOf } from '../../domain/workspaces/look.ts';
import { privacyLink } from '../../domain/workspaces/privacy-link.ts';
import { unavailability, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { NumberGuides } from '../../ports/phone-numbers.ts';
import type { Ports } from '../../ports/ports.ts';
import { guidesFor } from './guides-for.ts';
import { spentLimit } from './spent-limit.ts';

type Deps = Pick<Ports, 'store' | 'clock'> & {
	readonly guides: NumberGuides;
	/**
	 * The deployment's number, which visitors see if the workspace has no number of its own. Null if the deployment's
	 * number is unknown.
	 */
	readonly caller_number: string | null;
	/** False if no phone provider is configured. */
	readonly can_dial: boolean;
};

/**
 * How many seconds a browser may reuse the response. The time is shorter if the shop opens or closes within it, or if a
 * limit that is now reached resets within it.
 */
const FRESH_SECONDS = 60;

/**
 * The workspace's configuration for the widget, the formats of the numbers that the workspace calls, and for how many
 * seconds the answer is valid.
 */
export async function widgetConfig(workspace: Workspace, requestedLanguage: string | undefined, deps: Deps) {
	const { guides } = deps;
	const nowMs = deps.clock.now();
	const hours = teamState(workspace, nowMs);
	const next_open_at = hours.open ? null : hours.next_open_at;
	const spent = hours.open ? await spentLimit(workspace, deps) : null;
	const unavailable = unavailability(workspace, deps.can_dial) ?? spent?.reason ?? null;
	const { consent_text, allowed_regions: regions } = workspace;
	const language = knownLanguage(requestedLanguage ?? '') ?? workspace.language;
	const config = {
		name: workspace.name,
		open: hours.open && unavailable === null,
		next_open_at,
		opens_in_ms: next_open_at === null ? null : Date.parse(next_open_at) - nowMs,
		time_zone: workspace.time_zone,
		unavailable,
		consent_text,
		consent_texts: {
			language,
			call: consentText(workspace, language, 'call'),
			lead: consentText(workspace, language, 'lead'),
		},
		privacy_url: privacyLink(workspace, language),
		look: lookOf(workspace),
		regions,
		caller_number: workspace.caller_number ?? deps.caller_number,
		numbers: guidesFor(workspace, guides),
	};
	const changes = [next_open_at ?? closesAt(workspace, nowMs), spent?.again_at].filter((at) => typeof at === 'string');
	const seconds = changes.map((at) => (Date.parse(at) - nowMs) / 1000);
	return { config, fresh_seconds: Math.floor(Math.min(FRESH_SECONDS, ...seconds)) };
}
