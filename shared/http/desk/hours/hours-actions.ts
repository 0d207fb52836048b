import * as z from 'zod/mini';
import { BusinessHours, WorkspaceSettings } from '../../../contract/workspaces/workspace.ts';
import { changeWorkspace } from '../../../use-cases/workspaces/change-workspace.ts';
import { changesShop, defineAction, perPerson, sectionFormOf, type Uses } from '../define-action.ts';
import { copiedTimes, hoursSection } from './hours-section.ts';

/** A team that is always open may leave its hidden week unfinished: then the week is not kept. */
const HoursForm = z.extend(WorkspaceSettings, { hours_before: z.catch(z.optional(BusinessHours), undefined) });

export const saveHours = defineAction(sectionFormOf(hoursSection, HoursForm), {
	limit: perPerson,
	audit: changesShop,
	fills: (fields) => (fields['copy'] === undefined ? null : copiedTimes(fields)),
	run: (settings, { workspace }, deps: Uses<'sealer' | 'numbers' | 'macs'>) =>
		changeWorkspace(workspace.id, settings, deps),
});
