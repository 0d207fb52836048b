import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import { type DeskChangeName, newDeskChange } from '../../domain/desk/desk-change.ts';
import { type Section, sectionSeen } from '../../domain/desk/section.ts';
import type { LeadStatus } from '../../domain/leads/callback-lead.ts';
import { startOfDate, tomorrow } from '../../domain/workspaces/business-hours.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { updateLead } from '../leads/update-lead.ts';
import { changeTeam, type TeamChange } from '../workspaces/change-team.ts';
import { changeWorkspace } from '../workspaces/change-workspace.ts';
import { type MemberSwitch, switchMember } from '../workspaces/switch-member.ts';
import { callBack } from './call-back.ts';
import { type Contact, doNotCall } from './do-not-call.ts';
import type { AtDesk } from './enter-desk.ts';
import { changePeople, type PeopleChange } from './people.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids' | 'sealer' | 'numbers'>;

/** What a form of the desk asks for. `seen`: the section as the form showed it (see `sectionSeen`). */
export type DeskAction =
	| { readonly act: 'pause'; readonly for: 'hour' | 'day' }
	| { readonly act: 'resume' }
	| { readonly act: 'lead'; readonly id: string; readonly status: LeadStatus }
	| { readonly act: 'call_back'; readonly id: string }
	| ({ readonly act: 'do_not_call' } & Contact)
	| {
			readonly act: 'settings';
			readonly section: Exclude<Section, 'team'>;
			readonly seen: string;
			readonly settings: WorkspaceSettings;
	  }
	| { readonly act: 'team'; readonly seen: string; readonly team: TeamChange }
	| { readonly act: 'member'; readonly seen: string; readonly place: number; readonly switch: MemberSwitch }
	| { readonly act: 'people'; readonly people: PeopleChange };

export type DeskRefusal =
	| 'not_found'
	| 'owners_only'
	| 'changed_meanwhile'
	| 'team_number_invalid'
	| 'team_full'
	| 'member_unknown'
	| 'date_passed'
	| 'person_unknown'
	| 'last_owner'
	| 'desk_full'
	| 'not_callable';
export type DeskOutcome =
	| { readonly outcome: 'done' }
	/** The token of a one-time link, whose page rings a member's phone. */
	| { readonly outcome: 'call'; readonly token: string }
	| { readonly outcome: 'refused'; readonly refused: DeskRefusal };

/** What members may do, too. */
const FOR_MEMBERS: ReadonlySet<DeskAction['act']> = new Set(['pause', 'resume', 'lead', 'call_back', 'do_not_call']);
const DONE = { outcome: 'done' } as const;
const HOUR_MS = 3_600_000;

/**
 * Does what a form asks for, with the use cases that operators and the API have, too. Each change has a line in the
 * workspace's audit list, in the same transaction.
 */
export async function actAtDesk(at: AtDesk, action: DeskAction, deps: Deps): Promise<DeskOutcome> {
	const { workspace, person } = at;
	const { id } = workspace;
	if (person.role !== 'owner' && !FOR_MEMBERS.has(action.act)) return refuse('owners_only');
	const line = (change: DeskChangeName, about: string | null = null): Write => lineOf(at, change, about, deps);
	switch (action.act) {
		case 'pause': {
			const paused_until = new Date(pauseEnds(workspace, action.for, deps.clock.now())).toISOString();
			return outcomeOf(await changeWorkspace(id, { paused_until }, { ...deps, line: line('paused') }));
		}
		case 'resume':
			return outcomeOf(await changeWorkspace(id, { paused_until: null }, { ...deps, line: line('resumed') }));
		case 'lead': {
			const change = LEAD_CHANGES[action.status];
			const input = { workspace_id: id, id: action.id, status: action.status };
			const { outcome } = await updateLead(input, { ...deps, line: line(change, action.id) });
			return outcome === 'updated' ? DONE : refuse('not_found');
		}
		case 'call_back': {
			const outcome = await callBack(id, action.id, { ...deps, line: line('lead_called', action.id) });
			return 'token' in outcome ? { outcome: 'call', token: outcome.token } : refuse(outcome.refused);
		}
		case 'do_not_call':
			return outcomeOf(await doNotCall(id, action, { ...deps, line: line('number_suppressed', action.id) }));
		case 'settings': {
			const hasSeen = (current: Workspace): boolean => sectionSeen(action.section, current) === action.seen;
			return outcomeOf(await changeWorkspace(id, action.settings, { ...deps, hasSeen, line: line(action.section) }));
		}
		case 'team': {
			const hasSeen = (current: Workspace): boolean => sectionSeen('team', current) === action.seen;
			const about = memberNameIn(workspace, action.team);
			return outcomeOf(
				await changeTeam(id, action.team, { ...deps, hasSeen, line: line(TEAM_CHANGES[action.team.change], about) }),
			);
		}
		case 'member':
			return switchAtDesk(at, action, deps);
		case 'people': {
			const { change, address } = action.people;
			return outcomeOf(await changePeople(id, action.people, { ...deps, line: line(PEOPLE_CHANGES[change], address) }));
		}
	}
}

const LEAD_CHANGES = { handled: 'lead_handled', dismissed: 'lead_dismissed', pending: 'lead_reopened' } as const;
const TEAM_CHANGES = { add: 'member_added', remove: 'member_removed', move_up: 'member_moved' } as const;
const PEOPLE_CHANGES = {
	invite: 'person_invited',
	remove: 'person_removed',
	end_sessions: 'sessions_ended',
} as const satisfies Record<PeopleChange['change'], DeskChangeName>;

const refuse = (refused: DeskRefusal): DeskOutcome => ({ outcome: 'refused', refused });
const outcomeOf = (result: object | { readonly refused: DeskRefusal }): DeskOutcome =>
	'refused' in result ? refuse(result.refused) : DONE;

/** The line of the audit list for a change by this person. */
function lineOf(at: AtDesk, change: DeskChangeName, about: string | null, { clock, ids }: Deps): Write {
	const now_ms = clock.now();
	const { workspace, person } = at;
	const input = { id: ids.next(now_ms), workspace_id: workspace.id, address: person.address, change, about };
	return { op: 'put', record: 'desk_change', item: newDeskChange(input, now_ms), guard: { if: 'absent' } };
}

function pauseEnds({ business_hours }: Workspace, how_long: 'hour' | 'day', now_ms: number): number {
	if (how_long === 'hour') return now_ms + HOUR_MS;
	const time_zone = business_hours?.time_zone ?? 'UTC';
	return startOfDate(time_zone, tomorrow(time_zone, now_ms));
}

/** The name of the member that a change is about, or the mask; never more of a number. */
function memberNameIn({ team }: Workspace, teamChange: TeamChange | { readonly place: number }): string | null {
	if ('member' in teamChange)
		return teamChange.member.includes(':')
			? teamChange.member.slice(0, teamChange.member.lastIndexOf(':')).trim()
			: null;
	const member = team[teamChange.place];
	return member?.name ?? member?.phone_masked ?? null;
}

async function switchAtDesk(
	at: AtDesk,
	action: Extract<DeskAction, { readonly act: 'member' }>,
	deps: Deps,
): Promise<DeskOutcome> {
	const { workspace } = at;
	if (sectionSeen('team', workspace) !== action.seen) return refuse('changed_meanwhile');
	const memberSeen = workspace.team[action.place];
	const change = action.switch.on ? 'member_on' : 'member_off';
	const line = lineOf(at, change, memberNameIn(workspace, action), deps);
	const is = (member: Workspace['team'][number], place: number): boolean =>
		place === action.place && member.phone_masked === memberSeen?.phone_masked && member.name === memberSeen.name;
	const { outcome } = await switchMember(workspace.id, is, action.switch, { ...deps, line });
	return outcome === 'switched' ? DONE : refuse(outcome);
}
