import { handOver } from '../../domain/notices/hand-over.ts';
import type { AboutHandover } from '../../domain/notices/team-notice.ts';
import {
	type DeskPerson,
	type DeskRole,
	deskAddress,
	hasOwner,
	MOST_DESK_PEOPLE,
} from '../../domain/workspaces/desk-person.ts';
import type { Ports } from '../../ports/ports.ts';
import { newNoticeWrite, sendNotices } from '../notices/new-notices.ts';
import { addressWrites, type EditContext, type EditOutcome, editWorkspace } from '../workspaces/edit-workspace.ts';
import { sendLink } from './desk-links.ts';

export type PeopleChange =
	/**
	 * `by`: the person of the desk who sends the invitation. Absent if an operator sends it. `name`: the person's name. If it is
	 * absent or empty, a person who is invited again keeps the earlier name.
	 */
	| {
			readonly change: 'invite';
			readonly address: string;
			readonly role: DeskRole;
			readonly by?: string;
			readonly name?: string;
	  }
	/** An empty `name` removes the name. */
	| { readonly change: 'rename'; readonly address: string; readonly name: string }
	/** `left`: true if the person leaves the desk, and is not removed by another person. */
	| { readonly change: 'remove'; readonly address: string; readonly by?: string; readonly left?: true }
	/** `address` is the address of the person whose sessions end. Null ends the sessions of all people. */
	| { readonly change: 'end_sessions'; readonly address: string | null };
type PeopleRefusal = 'person_unknown' | 'last_owner' | 'desk_full';
type Deps = Pick<Ports, 'store' | 'ids' | 'clock' | 'queues'> & EditContext;

/**
 * Changes who may use a workspace's desk. The records by which a workspace is found from a person's address are changed in
 * the same transaction. Removing a person ends that person's sessions at once, because every page looks the person up. An
 * invitation is mailed after the change. Inviting the same address again changes the person's role and sends another mail.
 * If the desk has an owner who has opened it, at least one such owner always remains. If a person of the desk changes who
 * the desk's owners are, the previous owners and the address for messages get a mail (see `toldOfHandover`).
 */
export async function changePeople(id: string, input: PeopleChange, deps: Deps): Promise<EditOutcome<PeopleRefusal>> {
	const address = input.address === null ? null : deskAddress(input.address);
	let notices: readonly AboutHandover[] = [];
	const outcome = await editWorkspace(
		id,
		(before) => {
			const nowMs = deps.clock.now();
			const desk = peopleAfter(before.desk, input, address, nowMs);
			if ('refused' in desk) return desk;
			const handover = handOver(before, { desk }, factOf(input, address), deps.ids.next(nowMs), nowMs);
			notices = handover.notices;
			const writes = addressWrites(id, before.desk, desk);
			return { changes: { desk, ...handover.changes }, writes: [...writes, ...notices.map(newNoticeWrite)] };
		},
		deps,
	);
	if ('workspace' in outcome) await sendNotices(notices, deps.queues);
	if ('workspace' in outcome && input.change === 'invite' && address !== null)
		await sendLink({ address, reason: 'invitation', workspace_id: id, invited_by: input.by }, deps);
	return outcome;
}

/**
 * What the mail to the old owners says about the change. Null if an operator made the change, or if the change only ends
 * sessions or a name.
 */
function factOf(input: PeopleChange, about: string | null) {
	if (input.change === 'end_sessions' || input.change === 'rename' || input.by === undefined) return null;
	const { by } = input;
	if (input.change === 'invite') return { change: 'person_invited', about, by, role: input.role } as const;
	return { change: input.left ? 'desk_left' : 'person_removed', about, by } as const;
}

/** The people after a change. `address`: the address in its stored form, or null for all people. */
function peopleAfter(
	people: readonly DeskPerson[],
	input: PeopleChange,
	address: string | null,
	nowMs: number,
): readonly DeskPerson[] | { readonly refused: PeopleRefusal } {
	const sessions_from = new Date(nowMs).toISOString();
	if (address === null) return people.map((person) => ({ ...person, sessions_from }));
	const person = people.find((each) => each.address === address);
	const others = people.filter((each) => each !== person);
	if (input.change !== 'invite' && person === undefined) return { refused: 'person_unknown' };
	if (input.change === 'end_sessions' && person !== undefined) return [...others, { ...person, sessions_from }];
	if (input.change === 'rename') return people.map((each) => (each === person ? named(each, input.name) : each));
	// Inviting a person again changes the person's role and ends no session. A person whom another person of the desk
	// invites has to accept, because the invitation may go to a stranger. A person whom an operator invites need not
	// accept.
	const waits = input.change === 'invite' && input.by !== undefined && { invited_at: sessions_from };
	const joins: Omit<DeskPerson, 'role'> = person ?? { address, sessions_from, ...waits };
	const invited = input.change === 'invite' ? [named({ ...joins, role: input.role }, input.name || joins.name)] : [];
	const after = [...others, ...invited];
	if (hasOwner(people) && !hasOwner(after)) return { refused: 'last_owner' };
	// A later release may allow more people. After the way back from it, such a desk can still change and remove its people.
	const isMore = after.length > people.length;
	return isMore && after.length > MOST_DESK_PEOPLE ? { refused: 'desk_full' } : after;
}

/** The person with this name. Without a name if it is empty or undefined. */
const named = ({ name: _, ...person }: DeskPerson, name: string | undefined): DeskPerson =>
	name ? { ...person, name } : person;
