import { memberOwner } from '../../domain/kernel/phone-number.ts';
import { MOST_MEMBERS, type TeamMember, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { type EditContext, type EditOutcome, editWorkspace } from './edit-workspace.ts';
import { teamOf, writeNumber } from './workspace-writes.ts';

/** One change of a team. Members that exist are given by their place, from 0. */
export type TeamChange =
	/** `member`: in the format of `readMember`. */
	| { readonly change: 'add'; readonly member: string }
	| { readonly change: 'remove' | 'move_up'; readonly place: number };
type Deps = Pick<Ports, 'store' | 'sealer' | 'numbers'> & EditContext;
/** A member with the sealed number; undefined: it is the one that the table has for this place. */
type Seat = { readonly member: TeamMember; readonly sealed: string | undefined };

/**
 * Adds, removes or moves one member. Numbers move with their members as they are, sealed. A live call rings the number that a
 * position of its plan has at that time.
 */
export async function changeTeam(
	id: string,
	teamChange: TeamChange,
	deps: Deps,
): Promise<EditOutcome<'team_number_invalid' | 'team_full' | 'member_unknown'>> {
	const newMember = teamChange.change === 'add' ? teamOf([teamChange.member], deps) : null;
	if (newMember !== null && 'refused' in newMember) return { refused: newMember.refused };
	const [member] = newMember?.members ?? [];
	const seat = member === undefined ? null : { member, sealed: newMember?.sealed[0] };
	return editWorkspace(
		id,
		async (before) => {
			const seats = await seatsOf(before, deps);
			const after = seat === null ? seatsAfter(seats, teamChange) : [...seats, seat];
			if (after === null) return { refused: 'member_unknown' };
			if (after.length > MOST_MEMBERS) return { refused: 'team_full' };
			return { changes: { team: after.map((each) => each.member) }, writes: numberWrites(id, seats, after) };
		},
		deps,
	);
}

async function seatsOf({ id, team }: Workspace, { store }: Deps): Promise<readonly Seat[]> {
	const numbers = await Promise.all(
		team.map((_, place) => store.get('team_number', { owner: memberOwner(id, place) })),
	);
	return team.map((member, place) => ({ member, sealed: numbers[place]?.sealed }));
}

/** The seats after a member was removed or moved up; null: there is no such member. */
function seatsAfter(seats: readonly Seat[], teamChange: TeamChange): readonly Seat[] | null {
	if (teamChange.change === 'add') return null;
	const seat = seats[teamChange.place];
	if (seat === undefined) return null;
	const others = seats.filter((each) => each !== seat);
	return teamChange.change === 'remove' ? others : others.toSpliced(Math.max(0, teamChange.place - 1), 0, seat);
}

/** Writes each number whose place has changed, and removes the numbers of places that the team no longer has. */
function numberWrites(id: string, before: readonly Seat[], after: readonly Seat[]): readonly Write[] {
	const writes = after.flatMap(({ sealed }, place) =>
		sealed === undefined || sealed === before[place]?.sealed ? [] : [writeNumber(id, place, sealed)],
	);
	const removals = before.slice(after.length).map((_, n): Write => {
		const key = { owner: memberOwner(id, after.length + n) };
		return { op: 'remove', record: 'team_number', key, guard: { if: 'always' } };
	});
	return [...writes, ...removals];
}
