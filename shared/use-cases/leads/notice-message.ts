import { noticeId, type TeamNotice } from '../../domain/leads/team-notice.ts';
import type { Outgoing } from '../../ports/queues.ts';
import type { NoticeMessage } from '../../ports/registry.ts';

/** The message that asks for a try; fair between workspaces, so that a flood of leads in one holds up no other. */
export function noticeMessage(notice: TeamNotice, delay_seconds = 0): Outgoing<NoticeMessage> {
	return { message: named(notice), delay_seconds, group: notice.workspace_id };
}

function named(notice: TeamNotice): NoticeMessage {
	if (notice.endpoint !== undefined) return { notice_id: notice.id };
	const { id, lead_id = id, channel } = notice;
	return { lead_id, ...(channel && { channel }) };
}

/** The id of the notice that a message is about. */
export function noticeIn(message: NoticeMessage): string {
	return 'notice_id' in message ? message.notice_id : noticeId(message.lead_id, message.channel);
}
