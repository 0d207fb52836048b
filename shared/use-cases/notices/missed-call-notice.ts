import type { Call } from '../../domain/calls/call.ts';
import { missedNoticeId, takesMore, withMissedCall } from '../../domain/notices/missed-call-notice.ts';
import { type AboutMissedCalls, missedCallChannels } from '../../domain/notices/team-notice.ts';
import { type DeskPerson, hasAccepted } from '../../domain/workspaces/desk-person.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Guard, Write } from '../../ports/store.ts';
import type { NoticePlan } from './notice-plan.ts';

type Deps = Pick<Ports, 'store'>;

/**
 * The writes that add a missed call to one notice for each channel. A notice collects the missed calls of a window of time.
 * Commit the writes together with the call. If a worker claims the notice before the commit, the store refuses the notice's
 * write. The call is then decided again and joins the notice of the next window. So every call is in exactly one notice of
 * each channel.
 */
export async function missedNoticeWrites(
	{ id: call_id, workspace_id }: Pick<Call, 'id' | 'workspace_id'>,
	nowMs: number,
	{ store }: Deps,
): Promise<readonly Write[]> {
	const workspace = await store.get('workspace', { id: workspace_id });
	if (workspace === null) return [];
	const writes = missedCallChannels(workspace).map(async (channel): Promise<Write> => {
		const before = await store.get('team_notice', { id: missedNoticeId(workspace_id, channel, nowMs) });
		const item = withMissedCall(before, { channel, workspace_id, call_id }, nowMs);
		// If the notice exists but accepts no more calls, the guard `absent` makes the store refuse the write.
		const guard: Guard =
			before !== null && takesMore(before) ? { if: 'version', version: before.version } : { if: 'absent' };
		return { op: 'put', record: 'team_notice', item, guard };
	});
	return Promise.all(writes);
}

/**
 * The message about the missed calls, with the names of the members whose phones rang. The message leaves out visitors
 * whose data was erased. `link_base_url` is the address of the API, ending in /v1.
 */
export async function planMissedCalls(
	{ missed, workspace_id }: AboutMissedCalls,
	{ store, link_base_url }: Deps & { readonly link_base_url: string },
): Promise<NoticePlan> {
	const [workspace, ...callsOrNull] = await Promise.all([
		store.get('workspace', { id: workspace_id }),
		...missed.call_ids.map((id) => store.get('call', { id })),
	]);
	const calls = callsOrNull.flatMap((call) =>
		call?.number_hash === undefined ? [] : [{ ...call, rung: membersRung(call) }],
	);
	if (calls.length === 0) return { tell: false, status: 'canceled', code: 'not_wanted' };
	const page = pageOf(calls, missed.more);
	const desk_url = workspace?.desk.some(mayCallBack) ? `${link_base_url}/desk/pages/${page}` : null;
	return { tell: true, about: { calls, more: missed.more, desk_url }, writes: [] };
}

const mayCallBack = (person: DeskPerson): boolean => hasAccepted(person) && person.role !== 'developer';

/**
 * The page of the desk to link to. If there is only one missed call, this is the page of that call. Otherwise this is the
 * list of people who wait for a call.
 */
const pageOf = ([first, ...others]: readonly Pick<Call, 'id'>[], more: number): string =>
	first !== undefined && others.length + more === 0 ? `calls?id=${first.id}` : 'today';

function membersRung({ legs }: Pick<Call, 'legs'>): readonly string[] {
	return legs.flatMap(({ member_name, dialed_at }) => (dialed_at === null ? [] : (member_name ?? [])));
}
