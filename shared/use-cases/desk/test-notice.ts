import { countIn, periodAt } from '../../domain/access/rate-limit.ts';
import { type AboutTest, channelsOf, type NoticeChannel, pendingNotice } from '../../domain/notices/team-notice.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { change } from '../kernel/unit-of-work.ts';
import { newNoticeWrite, sendNotices } from '../notices/new-notices.ts';
import type { EditContext, EditRefusal } from '../workspaces/edit-workspace.ts';

/**
 * How many test messages a desk may send in an hour of the clock. Test messages are limited because their recipients may
 * not have asked for them.
 */
export const TEST_NOTICES_PER_HOUR = 6;
const HOUR_SECONDS = 3600;

type Deps = Pick<Ports, 'store' | 'clock' | 'ids' | 'queues'> & EditContext;
type Outcome = { readonly done: true } | { readonly refused: EditRefusal | 'not_found' | 'notice_tests_enough' };

/**
 * Sends a test message to the team's mail address or chat, in the same way as every other message to the team. The page
 * then shows whether messages arrive there.
 */
export async function testNotice(
	workspaceId: string,
	{ channel, by }: { readonly channel: NoticeChannel; readonly by: string },
	deps: Deps,
): Promise<Outcome> {
	const { store, clock, ids, queues } = deps;
	const refuse = (refused: Exclude<Outcome, { readonly done: true }>['refused']) => ({ result: { refused } });
	return change<Workspace | null, Outcome>(
		{
			read: () => store.get('workspace', { id: workspaceId }),
			decide: (workspace) => {
				if (workspace === null || !channelsOf(workspace).includes(channel)) return refuse('not_found');
				const refusal = deps.refusalIn?.(workspace) ?? null;
				if (refusal !== null) return refuse(refusal);
				const nowMs = clock.now();
				const notice: AboutTest = {
					...pendingNotice(`test#${ids.next(nowMs)}`, channel, workspaceId, nowMs),
					test: { by, at: new Date(nowMs).toISOString() },
					lead_id: '',
				};
				const hour = periodAt(HOUR_SECONDS, nowMs);
				return {
					result: { done: true },
					writes: {
						hour: countIn(hour, `notice-tests#${workspaceId}`, { used: TEST_NOTICES_PER_HOUR }),
						notice: newNoticeWrite(notice),
					},
					refusals: { hour: { refused: 'notice_tests_enough' } },
					afterwards: () => sendNotices([notice], queues),
				};
			},
		},
		store,
	);
}
