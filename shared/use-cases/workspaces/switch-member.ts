import { endOfToday, startOfDate } from '../../domain/workspaces/business-hours.ts';
import type { TeamMember, Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { type EditContext, type EditOutcome, editWorkspace } from './edit-workspace.ts';

/** `back`: the local date (`YYYY-MM-DD`) from which the member is rung again; null: tomorrow. */
export type MemberSwitch = { readonly on: true } | { readonly on: false; readonly back: string | null };
/**
 * Switches a member of the team on, or off until a date of the workspace's clock. Calls that are
 * live keep their plan. `is` has to recognise exactly one member.
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

/** When the member is rung again: at the start of that date, by default tomorrow. */
function returnTime({ time_zone }: Workspace, back: string | null, nowMs: number): number {
	if (back === null) return endOfToday(time_zone, nowMs);
	return startOfDate(time_zone, back);
}

function memberAfter({ off_until: _, ...member }: TeamMember, offUntilMs: number | null): TeamMember {
	return offUntilMs === null ? member : { ...member, off_until: new Date(offUntilMs).toISOString() };
}
