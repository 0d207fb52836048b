import { openState } from '../../domain/workspaces/business-hours.ts';
import { consentText } from '../../domain/workspaces/consent-text.ts';
import { knownLanguage, languageOf } from '../../domain/workspaces/language.ts';
import { unavailability, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NumberGuides } from '../../ports/phone-numbers.ts';
import { guidesFor } from './guides-for.ts';

type Deps = {
	readonly clock: Clock;
	readonly guides: NumberGuides;
	/** The number that visitors see when we call them; null if unknown. */
	readonly caller_number: string | null;
};

/** For how long an answer may be reused, in seconds; not past the next opening. */
const FRESH_SECONDS = 60;

/** The workspace's configuration for the widget, the formats of the numbers it calls, and for how many seconds it holds. */
export function widgetConfig(workspace: Workspace, asked: string | undefined, { clock, guides, caller_number }: Deps) {
	const now_ms = clock.now();
	const hours = openState(workspace.business_hours, now_ms);
	const next_open_at = hours.open ? null : hours.next_open_at;
	const { consent_text, allowed_regions: regions } = workspace;
	const language = knownLanguage(asked ?? '') ?? languageOf(workspace);
	const config = {
		open: hours.open && workspace.calls_enabled,
		next_open_at,
		unavailable: unavailability(workspace),
		consent_text,
		consent_texts: {
			language,
			call: consentText(workspace, language, 'call'),
			lead: consentText(workspace, language, 'lead'),
		},
		...{ regions, caller_number },
		numbers: guidesFor(workspace, guides),
	};
	const opens_in_seconds = next_open_at === null ? FRESH_SECONDS : (Date.parse(next_open_at) - now_ms) / 1000;
	return { config, fresh_seconds: Math.floor(Math.min(FRESH_SECONDS, opens_in_seconds)) };
}
