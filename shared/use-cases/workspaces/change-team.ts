import { type EnteredMember, MOST_MEMBERS, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { type EditContext, type EditOutcome, editWorkspace } from './edit-workspace.ts';
import {
	callerHashes,
	numbersOf,
	refusalOfMembers,
	removeNumber,
	type TeamRefusal,
	type TypedMember,
	teamAfter,
	typedMembers,
	writeNumber,
} from './team-members.ts';

/** One change of a team. Existing members are named by their ids. */
export type TeamChange =
	/** `home`: the region for whose numbers the country code may be left out. */
	| { readonly change: 'add'; readonly member: EnteredMember; readonly home?: string }
	/** `number`: null if the member keeps the number. */
	| {
			readonly change: 'edit';
			readonly id: string;
			readonly name: string | null;
			readonly number: string | null;
			readonly home?: string;
	  }
	| { readonly change: 'remove' | 'move_up'; readonly id: string };
type Deps = Pick<Ports, 'store' | 'clock' | 'sealer' | 'numbers' | 'macs'> &
	EditContext & {
		/** The deployment's number, which phones show as the caller. Null if the deployment has no number. */
		readonly caller_number: string | null;
	};
type NumberRefusal = TeamRefusal['refused'] | 'team_number_calls_itself';
type AddRefusal = NumberRefusal | 'team_full';
type TeamOutcome = EditOutcome<AddRefusal | 'member_unknown'>;

/**
 * Adds, changes, removes or moves a member. If a member is removed before a live call has dialed the member's phone, the call
 * does not ring that phone. A live call does not ring a new member either.
 */
export async function changeTeam(id: string, teamChange: TeamChange, deps: Deps): Promise<TeamOutcome> {
	if (teamChange.change === 'add') return addMember(id, teamChange, deps);
	if (teamChange.change === 'edit') return editMember(id, teamChange, deps);
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
			const refusal = await refusalOfNumbers(newMembers.typed, before, null, deps);
			if (refusal !== null) return refusal;
			if (before.team.length >= MOST_MEMBERS) return { refused: 'team_full' };
			const { changes, writes } = teamAfter({ ...before, team: [] }, [], newMembers.typed);
			return { changes: { ...changes, team: [...before.team, ...changes.team] }, writes };
		},
		deps,
	);
}

type Editing = Extract<TeamChange, { readonly change: 'edit' }>;

/** Changes a member's name, and the number if one was entered. The number is checked like that of a new member. */
async function editMember(id: string, { id: memberId, name, number, home }: Editing, deps: Deps) {
	const entered = number === null ? { typed: [] } : await typedMembers(id, [{ name, number }], deps, home);
	if ('refused' in entered) return { refused: entered.refused };
	return editWorkspace<NumberRefusal | 'member_unknown'>(
		id,
		async (before) => {
			if (!before.team.some((member) => member.id === memberId)) return { refused: 'member_unknown' };
			const refusal = await refusalOfNumbers(entered.typed, before, memberId, deps);
			if (refusal !== null) return refusal;
			const [typed] = entered.typed;
			const team = before.team.map((member) => {
				if (member.id !== memberId) return member;
				const { name: _, phone_masked: former, ...same } = member;
				return { ...same, ...(name !== null && { name }), phone_masked: typed?.phone_masked ?? former };
			});
			const writes = entered.typed.map((each) => writeNumber(id, memberId, each));
			return { changes: { team, ...(typed && unsilenced(memberId, before)) }, writes };
		},
		deps,
	);
}

/** The silenced members without one whose new number was checked. The mask may be the same as that of the former number. */
const unsilenced = (memberId: string, { silenced }: Workspace): Pick<Workspace, 'silenced'> =>
	silenced ? { silenced: { ...silenced, members: silenced.members.filter(({ id }) => id !== memberId) } } : {};

/**
 * Why members may not have these numbers. `except`: the id of the member whose own number does not count, because it is
 * replaced. Null if they may.
 */
async function refusalOfNumbers(
	typed: readonly TypedMember[],
	workspace: Workspace,
	except: string | null,
	{ store, macs, caller_number }: Deps,
): Promise<{ readonly refused: NumberRefusal } | null> {
	if (typed.length === 0) return null;
	const refusal = refusalOfMembers(typed, workspace);
	if (refusal !== null) return refusal;
	const team = workspace.team.filter(({ id }) => id !== except);
	const numbers = await numbersOf({ ...workspace, team }, store);
	const hashes = typed.flatMap(({ number_hashes }) => number_hashes);
	if (numbers.some(({ number_hash }) => hashes.includes(number_hash))) return { refused: 'team_number_twice' };
	const callers = await callerHashes(workspace, caller_number, macs);
	return callers.some((caller) => hashes.includes(caller)) ? { refused: 'team_number_calls_itself' } : null;
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
