import { afterHandover, isHandover, toldOfHandover } from '../workspaces/handover.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { type AboutHandover, type Handover, pendingNotice } from './team-notice.ts';

type Fact = Pick<Handover, 'change' | 'about' | 'by' | 'role'>;
type Consequences = {
	readonly changes: Pick<Workspace, 'before_handover'>;
	readonly notices: readonly AboutHandover[];
};
const NOTHING: Consequences = { changes: {}, notices: [] };

/**
 * What follows from a change of a desk: the state that the link in the mail can restore, and the notices to the people who had
 * the desk before. `fact` is null if an operator made the change: then no mail is sent, and no link can undo the change.
 * `occasion`: a new id, which makes the ids of the notices unique.
 */
export function handOver(
	before: Workspace,
	changes: Partial<Workspace>,
	fact: Fact | null,
	occasion: string,
	nowMs: number,
): Consequences {
	if (!isHandover(before, { ...before, ...changes })) return NOTHING;
	if (fact === null) return before.before_handover ? { ...NOTHING, changes: { before_handover: null } } : NOTHING;
	const base = afterHandover(before, nowMs);
	const at = new Date(nowMs).toISOString();
	const notices = toldOfHandover(base).map((to, place) => ({
		...pendingNotice(`handover#${occasion}#${place}`, 'mail', before.id, nowMs),
		handover: { ...fact, to, at },
		lead_id: '' as const,
	}));
	return { changes: { before_handover: base }, notices };
}
