import { type EnteredMember, MOST_MEMBERS, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { type EditContext, type EditOutcome, editWorkspace } from './edit-workspace.ts';
import {
	callerHashes,
	numbersOf,
	refusalOfMembers,
	removeNumber,
	type TeamRefusal,
	teamAfter,
	typedMembers,
} from './team-members.ts';

/** One change of a team. Existing members are named by their ids. */
export type TeamChange =
	/** `home`: the region for whose numbers the country code may be left out. */
	| { readonly change: 'add'; readonly member: EnteredMember; readonly home?: string }
	| { readonly change: 'remove' | 'move_up'; readonly id: string };
type Deps = Pick<Ports, 'store' | 'clock' | 'sealer' | 'numbers' | 'macs'> &
	EditContext & {
		/** The deployment's number, which phones show as the caller. Null if the deployment has no number. */
		readonly caller_number: string | null;
	};
type AddRefusal = TeamRefusal['refused'] | 'team_number_calls_itself' | 'team_full';
type TeamOutcome = EditOutcome<AddRefusal | 'member_unknown'>;

/**
 * Adds, removes or moves a member. If a member is removed before a live call has dialed the member's phone, the call does
 * not ring that phone. A live call does not ring a new member either.
 */
export async function changeTeam(id: string, teamChange: TeamChange, deps: Deps): Promise<TeamOutcome> {
	if (teamChange.change === 'add') return addMember(id, teamChange, deps);
	return editWorkspace(
		id,
		({ team }) => {
			const after = membersAfter(team, teamChange);
			if (after === null) return { refused: 'member_unknown' };
			const changes = { team: after };
			return teamChange.change === 'remove' ? { changes, writes: [removeNumber(id, teamChange.id)] } : { changes };
		},
		deps,
	);
}

type Adding = Extract<TeamChange, { readonly change: 'add' }>;

async function addMember(id: string, { member, home }: Adding, deps: Deps) {
	const newMembers = await typedMembers(id, [member], deps, home);
	if ('refused' in newMembers) return { refused: newMembers.refused };
	return editWorkspace<AddRefusal>(
		id,
		async (before) => {
			const refusal = refusalOfMembers(newMembers.typed, before);
			if (refusal !== null) return refusal;
			const numbers = await numbersOf(before, deps.store);
			const hashes = newMembers.typed.flatMap(({ number_hashes }) => number_hashes);
			if (numbers.some(({ number_hash }) => hashes.includes(number_hash))) return { refused: 'team_number_twice' };
			const callers = await callerHashes(before, deps.caller_number, deps.macs);
			if (callers.some((caller) => hashes.includes(caller))) return { refused: 'team_number_calls_itself' };
			if (before.team.length >= MOST_MEMBERS) return { refused: 'team_full' };
			const { changes, writes } = teamAfter({ ...before, team: [] }, [], newMembers.typed);
			return { changes: { ...changes, team: [...before.team, ...changes.team] }, writes };
		},
		deps,
	);
}

/** The members after one of them was removed or moved up. Null if there is no such member. */
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
