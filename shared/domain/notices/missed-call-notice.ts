import {
	type AboutMissedCalls,
	type NoticeChannel,
	noticeChannels,
	noticeId,
	pendingNotice,
	type TeamNotice,
} from './team-notice.ts';

/** One message reports all calls that were missed in one window of this length. */
const WINDOW_MS = 600_000;
/** How far the clocks of two functions may be apart. A notice waits until its window is over by every clock. */
const CLOCKS_DIFFER_MS = 5000;
/** The most calls that one message lists. */
const MOST_NAMED = 20;

const windowOf = (nowMs: number): number => Math.floor(nowMs / WINDOW_MS);

/** The id of the notice to which a call that is missed now is added. */
export const missedNoticeId = (workspaceId: string, channel: NoticeChannel, nowMs: number): string =>
	noticeId(`missed#${workspaceId}#${windowOf(nowMs)}`, channel);

/**
 * The ids of the notices to which a call that ended at this moment may have been added. There are several, because the
 * function that chose the notice may have another clock than the function that recorded the end.
 */
export const missedNoticeIds = (workspaceId: string, endedMs: number): readonly string[] =>
	[endedMs - WINDOW_MS, endedMs, endedMs + WINDOW_MS].flatMap((atMs) =>
		noticeChannels.map((channel) => missedNoticeId(workspaceId, channel, atMs)),
	);

/** Whether another call may be added to the notice: the notice has not been claimed yet. */
export const takesMore = ({ status, attempt_count }: TeamNotice): boolean =>
	status === 'pending' && attempt_count === 0;

/** The notice with one more call. The notice is due when its window ends, and then the sweep queues it. */
export function withMissedCall(
	before: TeamNotice | null,
	about: {
		readonly channel: NoticeChannel;
		readonly workspace_id: string;
		readonly call_id: string;
	},
	nowMs: number,
): AboutMissedCalls {
	const { channel, workspace_id, call_id } = about;
	const { call_ids, more } = before?.missed ?? { call_ids: [], more: 0 };
	const hasPlace = call_ids.length < MOST_NAMED;
	const calls = hasPlace ? { call_ids: [...call_ids, call_id], more } : { call_ids, more: more + 1 };
	if (before?.missed !== undefined) return { ...before, version: before.version + 1, missed: calls };
	const id = missedNoticeId(workspace_id, channel, nowMs);
	const due_at = new Date((windowOf(nowMs) + 1) * WINDOW_MS + CLOCKS_DIFFER_MS).toISOString();
	return { ...pendingNotice('', channel, workspace_id, nowMs), id, next_attempt_at: due_at, due_at, missed: calls };
}
