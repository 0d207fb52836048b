import type { TeamNotice } from '../../domain/notices/team-notice.ts';
import type { Outgoing, Queues } from '../../ports/queues.ts';
import type { NoticeMessage } from '../../ports/registry.ts';
import type { Write } from '../../ports/store.ts';

/** The write of a new notice. Put this write into the transaction of the change that the notice is about. */
export const newNoticeWrite = (item: TeamNotice): Write => ({
	op: 'put',
	record: 'team_notice',
	item,
	guard: { if: 'absent' },
});

/**
 * The message that asks a worker to send a notice. Messages are grouped by workspace, so that many leads in one workspace
 * do not delay the notices of other workspaces.
 */
export function noticeMessage(notice: TeamNotice, delay_seconds = 0): Outgoing<NoticeMessage> {
	return { message: { notice_id: notice.id }, delay_seconds, group: notice.workspace_id };
}

/** Asks for new notices to be sent at once. If a message is lost, the sweep sends its notice later. */
export async function sendNotices(notices: readonly TeamNotice[], queues: Queues): Promise<void> {
	if (notices.length === 0) return;
	await queues.send(
		'team-notices',
		notices.map((notice) => noticeMessage(notice)),
	);
}
