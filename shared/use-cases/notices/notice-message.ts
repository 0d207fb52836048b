import type { TeamNotice } from '../../domain/notices/team-notice.ts';
import type { Outgoing } from '../../ports/queues.ts';
import type { NoticeMessage } from '../../ports/registry.ts';

/** The message that requests a try. Its group is the workspace, so that a flood of leads in one delays no other. */
export function noticeMessage(notice: TeamNotice, delay_seconds = 0): Outgoing<NoticeMessage> {
	return { message: { notice_id: notice.id }, delay_seconds, group: notice.workspace_id };
}
