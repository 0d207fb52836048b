import { type DeskPerson, type DeskRole, deskAddress, MOST_DESK_PEOPLE } from '../../domain/workspaces/desk-person.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { type EditContext, type EditOutcome, editWorkspace } from '../workspaces/edit-workspace.ts';
import { sendLink } from './desk-links.ts';

export type PeopleChange =
	/** `by`: the person of the desk who invites; absent: an operator. */
	| { readonly change: 'invite'; readonly address: string; readonly role: DeskRole; readonly by?: string }
	| { readonly change: 'remove'; readonly address: string }
	/** `address` null: of all people. */
	| { readonly change: 'end_sessions'; readonly address: string | null };
type PeopleRefusal = 'person_unknown' | 'last_owner' | 'desk_full';
type Deps = Pick<Ports, 'store' | 'queues' | 'clock'> & EditContext;

/**
 * Changes who may use a workspace's desk, together with the record that finds the workspace by an address. The sessions of
 * a person who is removed end at once, because every page looks the person up. An invitation is mailed afterwards; a second
 * one for the same address changes the role and mails again. There is always an owner.
 */
export async function changePeople(id: string, input: PeopleChange, deps: Deps): Promise<EditOutcome<PeopleRefusal>> {
	const address = input.address === null ? null : deskAddress(input.address);
	const outcome = await editWorkspace(
		id,
		({ desk: before }) => {
			const desk = peopleAfter(before, input, address, deps.clock.now());
			if ('refused' in desk) return desk;
			return { changes: { desk }, writes: address === null ? [] : [addressWrite(address, id, desk)] };
		},
		deps,
	);
	if ('workspace' in outcome && input.change === 'invite' && address !== null)
		await sendLink({ address, reason: 'invitation', workspace_id: id, invited_by: input.by }, deps);
	return outcome;
}

const hasOwner = (people: readonly DeskPerson[]): boolean => people.some(({ role }) => role === 'owner');

/** `address`: the one of the change, as it is stored; null: all people. */
function peopleAfter(
	people: readonly DeskPerson[],
	input: PeopleChange,
	address: string | null,
	now_ms: number,
): readonly DeskPerson[] | { readonly refused: PeopleRefusal } {
	const sessions_from = new Date(now_ms).toISOString();
	if (address === null) return people.map((person) => ({ ...person, sessions_from }));
	const person = people.find((each) => each.address === address);
	const others = people.filter((each) => each !== person);
	if (input.change !== 'invite' && person === undefined) return { refused: 'person_unknown' };
	if (input.change === 'end_sessions' && person !== undefined) return [...others, { ...person, sessions_from }];
	// Inviting a person again changes the role and ends no session.
	const invited = input.change === 'invite' ? [{ address, sessions_from, ...person, role: input.role }] : [];
	const after = [...others, ...invited];
	if (hasOwner(people) && !hasOwner(after)) return { refused: 'last_owner' };
	return after.length > MOST_DESK_PEOPLE ? { refused: 'desk_full' } : after;
}

/** Lets the address find the workspace, or no longer. */
function addressWrite(address: string, workspace_id: string, people: readonly DeskPerson[]): Write {
	const [key, guard] = [{ address, workspace_id }, { if: 'always' } as const];
	return people.some((person) => person.address === address)
		? { op: 'put', record: 'desk_address', item: key, guard }
		: { op: 'remove', record: 'desk_address', key, guard };
}
