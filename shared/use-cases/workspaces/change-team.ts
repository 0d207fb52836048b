import { formerMemberOwner, memberOwner } from '../../domain/kernel/phone-number.ts';
import { type EnteredMember, MOST_MEMBERS, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { type EditContext, type EditOutcome, editWorkspace } from './edit-workspace.ts';
import { judgeNumber } from './judge-team.ts';
import {
	numbersOf,
	putBack,
	refusalOfMembers,
	setAside,
	type TeamRefusal,
	teamAfter,
	typedMembers,
} from './team-members.ts';

/** One change of a team. Members that exist are given by their ids. */
export type TeamChange =
	/** `home`: the region whose numbers are read as they are dialled there. */
	| { readonly change: 'add'; readonly member: EnteredMember; readonly home?: string }
	| { readonly change: 'remove' | 'move_up'; readonly id: string }
	/** `before`: the member who then comes next; null, or not in the team: none does. */
	| { readonly change: 'put_back'; readonly id: string; readonly before: string | null };
type Deps = Pick<Ports, 'store' | 'clock' | 'sealer' | 'numbers' | 'macs'> & EditContext;
type TeamOutcome = EditOutcome<TeamRefusal['refused'] | 'team_full' | 'member_unknown'>;

/** A live call rings neither a member who is removed before the phone is dialled, nor one who is added. */
export async function changeTeam(id: string, teamChange: TeamChange, deps: Deps): Promise<TeamOutcome> {
	if (teamChange.change === 'add') return addMember(id, teamChange, deps);
	if (teamChange.change === 'put_back') return putMemberBack(id, teamChange, deps);
	return editWorkspace(
		id,
		async ({ team }) => {
			const after = membersAfter(team, teamChange);
			if (after === null) return { refused: 'member_unknown' };
			const changes = { team: after };
			if (teamChange.change === 'move_up') return { changes };
			const number = await deps.store.get('team_number', { owner: memberOwner(id, teamChange.id) });
			return { changes, writes: setAside(id, teamChange.id, number, deps.clock.now()) };
		},
		deps,
	);
}

type PuttingBack = Extract<TeamChange, { readonly change: 'put_back' }>;

/** Undoes a removal while the number is kept: the member comes back with its id, its place, and still away if it was. */
async function putMemberBack(id: string, { id: member, before }: PuttingBack, deps: Deps): Promise<TeamOutcome> {
	return editWorkspace<TeamRefusal['refused'] | 'team_full' | 'member_unknown'>(
		id,
		async (workspace) => {
			const { team, former_members = [] } = workspace;
			const former = former_members.find((each) => each.id === member);
			const number = await deps.store.get('team_number', { owner: formerMemberOwner(id, member) });
			const isKept = (number?.expires_at_epoch_s ?? 0) * 1000 > deps.clock.now();
			if (number === null || !isKept || former === undefined) return { refused: 'member_unknown' };
			if (team.length >= MOST_MEMBERS) return { refused: 'team_full' };
			const others = await numbersOf(workspace, deps.store);
			if (others.some(({ number_hash }) => number_hash === number.number_hash)) return { refused: 'team_number_twice' };
			// The rules may have changed since the number was typed.
			const verdict = await judgeNumber(number, workspace, deps.macs);
			if (verdict === 'silenced') return { refused: 'team_number_not_callable' };
			const place = team.findIndex((each) => each.id === before);
			const after = team.toSpliced(place === -1 ? team.length : place, 0, former);
			return { changes: { team: after }, writes: putBack(id, member, number) };
		},
		deps,
	);
}

type Adding = Extract<TeamChange, { readonly change: 'add' }>;

async function addMember(id: string, { member, home }: Adding, deps: Deps) {
	const newMembers = await typedMembers(id, [member], deps, home);
	if ('refused' in newMembers) return { refused: newMembers.refused };
	return editWorkspace<TeamRefusal['refused'] | 'team_full'>(
		id,
		async (before) => {
			const refusal = refusalOfMembers(newMembers.typed, before);
			if (refusal !== null) return refusal;
			const numbers = await numbersOf(before, deps.store);
			const [added] = newMembers.typed;
			if (numbers.some(({ number_hash }) => added?.number_hashes.includes(number_hash))) {
				return { refused: 'team_number_twice' };
			}
			if (before.team.length >= MOST_MEMBERS) return { refused: 'team_full' };
			const { changes, writes } = teamAfter({ ...before, team: [] }, [], newMembers.typed);
			return { changes: { ...changes, team: [...before.team, ...changes.team] }, writes };
		},
		deps,
	);
}

/** The members after one was removed or moved up; null: there is no such member. */
function membersAfter(
	team: Workspace['team'],
	{ change, id }: Extract<TeamChange, { readonly change: 'remove' | 'move_up' }>,
): Workspace['team'] | null {
	const place = team.findIndex((member) => member.id === id);
	const [member] = team.slice(place, place + 1);
	if (place === -1 || member === undefined) return null;
	const others = team.toSpliced(place, 1);
	return change === 'remove' ? others : others.toSpliced(Math.max(0, place - 1), 0, member);
}
