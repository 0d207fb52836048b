import { endOfToday, startOfDate } from '../../domain/workspaces/business-hours.ts';
import type { TeamMember, Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { type EditContext, type EditOutcome, editWorkspace } from './edit-workspace.ts';

/** `back`: the date (`YYYY-MM-DD`, in the workspace's time zone) from which the member is rung again. Null for tomorrow. */
export type MemberSwitch = { readonly on: true } | { readonly on: false; readonly back: string | null };
/**
 * Switches a member of the team on, or switches the member off until a date in the workspace's time zone. Live calls keep
 * their plan. `is` must be true for exactly one member.
 */
export async function switchMember(
	id: string,
	is: (member: TeamMember) => boolean,
	memberSwitch: MemberSwitch,
	deps: Pick<Ports, 'store' | 'clock'> & EditContext,
): Promise<EditOutcome<'member_unknown' | 'date_passed'>> {
	return editWorkspace(
		id,
		(before) => {
			if (before.team.filter(is).length !== 1) return { refused: 'member_unknown' };
			const nowMs = deps.clock.now();
			const offUntilMs = memberSwitch.on ? null : returnTime(before, memberSwitch.back, nowMs);
			if (offUntilMs !== null && offUntilMs <= nowMs) return { refused: 'date_passed' };
			const team = before.team.map((member) => (is(member) ? memberAfter(member, offUntilMs) : member));
			return { changes: { team } };
		},
		deps,
	);
}

/** When the member is rung again: at the beginning of the date `back`, or of tomorrow if `back` is null. */
function returnTime({ time_zone }: Workspace, back: string | null, nowMs: number): number {
	if (back === null) return endOfToday(time_zone, nowMs);
	return startOfDate(time_zone, back);
}

function memberAfter({ off_until: _, ...member }: TeamMember, offUntilMs: number | null): TeamMember {
	return offUntilMs === null ? member : { ...member, off_until: new Date(offUntilMs).toISOString() };
}
