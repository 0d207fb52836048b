import * as z from 'zod/mini';
import { WorkspaceSettings } from '../../../contract/workspaces/workspace.ts';
import { changeNotices } from '../../../use-cases/desk/notices.ts';
import { changesShop, defineAction, perPerson, sectionFormOf, type Uses } from '../define-action.ts';
import { noticesSection } from './notices-section.ts';

const NoticeSettings = z.required(z.pick(WorkspaceSettings, { team_email: true, tells_missed_calls: true }));

/** Where the team's messages go. */
export const saveNotices = defineAction(sectionFormOf(noticesSection, NoticeSettings), {
	limit: perPerson,
	audit: changesShop,
	run: (settings, { workspace, person }, deps: Uses<'queues'>) =>
		changeNotices(workspace.id, settings, person.address, deps),
});
