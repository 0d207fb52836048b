import type { TeamNotice } from '../../domain/notices/team-notice.ts';
import type { Outgoing } from '../../ports/queues.ts';
import type { NoticeMessage } from '../../ports/registry.ts';

/**
 * The message that asks a worker to send a notice. Messages are grouped by workspace, so that many leads in one workspace
 * do not delay the notices of other workspaces.
 */
export function noticeMessage(notice: TeamNotice, delay_seconds = 0): Outgoing<NoticeMessage> {
	return { message: { notice_id: notice.id }, delay_seconds, group: notice.workspace_id };
}
