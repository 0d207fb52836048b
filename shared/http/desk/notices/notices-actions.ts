import * as z from 'zod/mini';
import { WorkspaceSettings } from '../../../contract/workspaces/workspace.ts';
import { noticeChannels } from '../../../domain/notices/team-notice.ts';
import { changeNotices } from '../../../use-cases/desk/notices.ts';
import { testNotice } from '../../../use-cases/desk/test-notice.ts';
import { changesShop, defineAction, formOf, perPerson, sectionFormOf, type Uses } from '../define-action.ts';
import { noticesSection } from './notices-section.ts';

const NoticeSettings = z.extend(z.required(z.pick(WorkspaceSettings, { team_email: true, tells_missed_calls: true })), {
	missed_calls_to: z.array(z.enum(noticeChannels)),
});

/** Saves where the team's messages go. */
export const saveNotices = defineAction(sectionFormOf(noticesSection, NoticeSettings), {
	limit: perPerson,
	audit: changesShop,
	run: (settings, { workspace, person }, deps: Uses<'queues'>) =>
		changeNotices(workspace.id, settings, person.address, deps),
});

/** Sends a message to the mail address or to the chat, so that the person sees whether messages arrive. */
export const testNotices = defineAction(formOf(z.object({ channel: z.enum(noticeChannels) })), {
	limit: perPerson,
	audit: {
		with: ['team_notice'],
		about: ({ channel }, { workspace: { team_email, team_webhook } }) =>
			channel === 'mail' ? team_email : (team_webhook?.origin ?? null),
	},
	run: ({ channel }, { workspace, person }, deps: Uses<'queues'>) =>
		testNotice(workspace.id, { channel, by: person.address }, deps),
});
