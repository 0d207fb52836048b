import { openState } from '../../domain/workspaces/business-hours.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Clock } from '../../ports/clock.ts';
import type { NumberGuides } from '../../ports/phone-numbers.ts';
import { guidesFor } from './guides-for.ts';

type Deps = {
	readonly clock: Clock;
	readonly guides: NumberGuides;
	/** What visitors see when they are called; null if unknown. */
	readonly caller_number: string | null;
};

/** What the widget shows of a workspace, and how the numbers it calls are written. */
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
