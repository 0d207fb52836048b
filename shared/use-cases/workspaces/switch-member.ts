import { startOfDate, tomorrow } from '../../domain/workspaces/business-hours.ts';
import type { TeamMember } from '../../domain/workspaces/team-member.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { change } from '../kernel/change.ts';
import type { Editing } from './change-workspace.ts';

/** `back`: the local date (`YYYY-MM-DD`) from which the member is rung again; null: tomorrow. */
export type MemberSwitch = { readonly on: true } | { readonly on: false; readonly back: string | null };
export type SwitchMemberOutcome =
	| { readonly outcome: 'switched'; readonly workspace: Workspace }
	| { readonly outcome: 'not_found' | 'member_unknown' | 'date_passed' };

/**
 * Switches a member of the team on, or off until a date in the time zone of the hours (without hours: UTC). Calls that are
 * live keep their plan. `is`: recognises the member, of which there must be one.
 */
export async function switchMember(
	id: string,
	is: (member: TeamMember, place: number) => boolean,
	given: MemberSwitch,
	{ store, clock, line }: Pick<Ports, 'store' | 'clock'> & Pick<Editing, 'line'>,
): Promise<SwitchMemberOutcome> {
	return change<Workspace | null, SwitchMemberOutcome>(
		{
			read: () => store.get('workspace', { id }),
			decide: (before) => {
				if (before === null) return { result: { outcome: 'not_found' } };
				if (before.team.filter(is).length !== 1) return { result: { outcome: 'member_unknown' } };
				const off_until_ms = offUntil(before, given, clock.now());
				if (off_until_ms === 'passed') return { result: { outcome: 'date_passed' } };
				const team = before.team.map((member, place) => (is(member, place) ? switched(member, off_until_ms) : member));
				const item = { ...before, version: before.version + 1, team };
				const guard = { if: 'version', version: before.version } as const;
				return {
					result: { outcome: 'switched', workspace: item },
					writes: { workspace: { op: 'put', record: 'workspace', item, guard }, line: line ?? [] },
				};
			},
		},
		store,
	);
}

function offUntil({ business_hours }: Workspace, given: MemberSwitch, now_ms: number): number | null | 'passed' {
	if (given.on) return null;
	const time_zone = business_hours?.time_zone ?? 'UTC';
	const until_ms = startOfDate(time_zone, given.back ?? tomorrow(time_zone, now_ms));
	return until_ms > now_ms ? until_ms : 'passed';
}

function switched({ off_until: _, ...member }: TeamMember, off_until_ms: number | null): TeamMember {
	return off_until_ms === null ? member : { ...member, off_until: new Date(off_until_ms).toISOString() };
}
