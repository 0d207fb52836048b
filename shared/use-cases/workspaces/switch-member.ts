import { endOfToday, startOfDate } from '../../domain/workspaces/business-hours.ts';
import type { TeamMember } from '../../domain/workspaces/team-member.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { change } from '../kernel/change.ts';
import type { EditContext } from './change-workspace.ts';

/** `back`: the local date (`YYYY-MM-DD`) from which the member is rung again; null: tomorrow. */
export type MemberSwitch = { readonly on: true } | { readonly on: false; readonly back: string | null };
export type SwitchMemberOutcome =
	| { readonly workspace: Workspace }
	| { readonly refused: 'not_found' | 'member_unknown' | 'date_passed' | 'changed_meanwhile' };

/**
 * Switches a member of the team on, or off until a date in the time zone of the hours (without hours: UTC). Calls that are
 * live keep their plan. `is` has to recognise exactly one member.
 */
export async function switchMember(
	id: string,
	is: (member: TeamMember, place: number) => boolean,
	memberSwitch: MemberSwitch,
	{ store, clock, line, hasSeen }: Pick<Ports, 'store' | 'clock'> & EditContext,
): Promise<SwitchMemberOutcome> {
	return change<Workspace | null, SwitchMemberOutcome>(
		{
			read: () => store.get('workspace', { id }),
			decide: (before) => {
				if (before === null) return { result: { refused: 'not_found' } };
				if (hasSeen?.(before) === false) return { result: { refused: 'changed_meanwhile' } };
				if (before.team.filter(is).length !== 1) return { result: { refused: 'member_unknown' } };
				const now_ms = clock.now();
				const off_until_ms = memberSwitch.on ? null : returnTime(before, memberSwitch.back, now_ms);
				if (off_until_ms !== null && off_until_ms <= now_ms) return { result: { refused: 'date_passed' } };
				const team = before.team.map((member, place) =>
					is(member, place) ? memberAfter(member, off_until_ms) : member,
				);
				const item = { ...before, version: before.version + 1, team };
				const guard = { if: 'version', version: before.version } as const;
				return {
					result: { workspace: item },
					writes: { workspace: { op: 'put', record: 'workspace', item, guard }, line: line ?? [] },
				};
			},
		},
		store,
	);
}

/** When the member is rung again: at the start of that date, by default tomorrow. */
function returnTime({ business_hours }: Workspace, back: string | null, now_ms: number): number {
	if (back === null) return endOfToday(business_hours, now_ms);
	return startOfDate(business_hours?.time_zone ?? 'UTC', back);
}

function memberAfter({ off_until: _, ...member }: TeamMember, off_until_ms: number | null): TeamMember {
	return off_until_ms === null ? member : { ...member, off_until: new Date(off_until_ms).toISOString() };
}
