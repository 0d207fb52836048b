import {
	type AboutMissedCalls,
	type NoticeChannel,
	noticeChannels,
	noticeId,
	pendingNotice,
	type TeamNotice,
} from './team-notice.ts';

/** One message reports all missed calls of one window of this length. */
const WINDOW_MS = 600_000;
/** By how much the clocks of two functions may differ: a notice waits until its window is over by every clock. */
const CLOCKS_DIFFER_MS = 5000;
/** The most calls that one message names. */
const MOST_NAMED = 20;

const windowOf = (nowMs: number): number => Math.floor(nowMs / WINDOW_MS);

/** The id of the notice that a call missed now joins. */
export const missedNoticeId = (workspaceId: string, channel: NoticeChannel, nowMs: number): string =>
	noticeId(`missed#${workspaceId}#${windowOf(nowMs)}`, channel);

/**
 * The ids of the notices that a call that ended at this moment may have joined: the clock that chose the notice may
 * differ from the one that timed the end.
 */
export const missedNoticeIds = (workspaceId: string, endedMs: number): readonly string[] =>
	[endedMs - WINDOW_MS, endedMs, endedMs + WINDOW_MS].flatMap((atMs) =>
		noticeChannels.map((channel) => missedNoticeId(workspaceId, channel, atMs)),
	);

/** Whether the notice takes one more call: it has not been claimed yet. */
export const takesMore = ({ status, attempt_count }: TeamNotice): boolean =>
	status === 'pending' && attempt_count === 0;

/** The notice with one more call. It is due when its window ends; the sweep then queues it. */
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
