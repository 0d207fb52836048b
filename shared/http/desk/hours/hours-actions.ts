import * as z from 'zod/mini';
import { BusinessHours, WorkspaceSettings } from '../../../contract/workspaces/workspace.ts';
import { changeWorkspace } from '../../../use-cases/workspaces/change-workspace.ts';
import { changesShop, defineAction, perPerson, sectionFormOf, type Uses } from '../define-action.ts';
import { isCurrent } from '../sections.ts';
import { copiedTimes, hoursSection } from './hours-section.ts';
import { oddOpenings } from './odd-openings.ts';

/**
 * A team that is always open may leave its hidden week unfinished: then the week is not kept. (`z.catch` would say the same,
 * and would keep 8 KB more of zod in the function.)
 */
const KeptWeek = z.transform((week: unknown) => BusinessHours.safeParse(week).data);
const HoursForm = z.extend(WorkspaceSettings, { hours_before: z.optional(KeptWeek) });

/**
 * Saves the opening hours. Openings that overlap are refused. The desk asks once about a very long opening, such as 09:00 to
 * 04:00. When the form is sent again, the field `long` names the openings that the desk has asked about. A week that is kept
 * while the shop is always open is not checked before it counts.
 */
export const saveHours = defineAction(sectionFormOf(hoursSection, HoursForm), {
	limit: perPerson,
	audit: changesShop,
	fills: (fields) => (fields['copy'] === undefined ? null : copiedTimes(fields)),
	run: async (settings, { workspace, fields }, deps: Uses<'sealer' | 'numbers' | 'macs'>) => {
		// If another person has changed the hours meanwhile, the change itself is refused.
		const weekly = isCurrent(fields, workspace) ? settings.business_hours?.weekly : undefined;
		const odd = oddOpenings(weekly ?? [], workspace.business_hours?.weekly ?? [], fields['long']);
		const [first, ...also] = odd.map(({ nth, why, minutes }) => {
			return { invalid: ['business_hours', 'weekly', nth], typed: String(minutes), why };
		});
		return first ? { ...first, also } : changeWorkspace(workspace.id, settings, deps);
	},
});
