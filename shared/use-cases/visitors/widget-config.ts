import { openState } from '../../domain/workspaces/business-hours.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NumberGuides } from '../../ports/phone-numbers.ts';
import { guidesFor } from './guides-for.ts';

type Deps = {
	readonly clock: Clock;
	readonly guides: NumberGuides;
	/** The number that visitors see when we call them; null if unknown. */
	readonly caller_number: string | null;
};

/** The workspace's configuration for the widget, and the formats of the numbers it calls. */
export function widgetConfig(workspace: Workspace, { clock, guides, caller_number }: Deps) {
	const hours = openState(workspace.business_hours, clock.now());
	const { consent_text, allowed_regions: regions } = workspace;
	return {
		open: hours.open && workspace.calls_enabled,
		next_open_at: hours.open ? null : hours.next_open_at,
		...{ consent_text, regions, caller_number },
		numbers: guidesFor(workspace, guides),
	};
}
