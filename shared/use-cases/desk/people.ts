import { type DeskPerson, type DeskRole, deskAddress, MOST_DESK_PEOPLE } from '../../domain/workspaces/desk-person.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { DeskAddress } from '../../ports/registry.ts';
import type { Write } from '../../ports/store.ts';
import { change, type Proposal } from '../kernel/change.ts';
import type { EditContext } from '../workspaces/change-workspace.ts';
import { sendLink } from './ask-for-link.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock'> & Pick<EditContext, 'line'>;

/** A change of the people of a desk, each by the address. */
export type PeopleChange =
	| { readonly change: 'invite'; readonly address: string; readonly role: DeskRole }
	| { readonly change: 'remove'; readonly address: string }
	/** Ends the sessions of one person, or of all. */
	| { readonly change: 'end_sessions'; readonly address: string | null };
type PersonRefusal = { readonly refused: 'not_found' | 'person_unknown' | 'last_owner' | 'desk_full' };
export type ChangePeopleOutcome = { readonly workspace: Workspace } | PersonRefusal;

type PeopleState = { readonly workspace: Workspace | null; readonly addressRecord: DeskAddress | null };

/**
 * Changes who may use a workspace's desk, together with the record that finds the workspace by an address. The sessions of
 * a person who is removed end at once, because every page looks the person up. An invitation is mailed afterwards; a second
 * one for the same address changes the role and mails again. There is always an owner.
 */
export async function changePeople(id: string, input: PeopleChange, deps: Deps): Promise<ChangePeopleOutcome> {
	const address = input.address === null ? null : deskAddress(input.address);
	return change<PeopleState, ChangePeopleOutcome>(
		{
			read: async () => {
				const [workspace, addressRecord] = await Promise.all([
					deps.store.get('workspace', { id }),
					address === null ? null : deps.store.get('desk_address', { address }),
				]);
				return { workspace, addressRecord };
			},
			decide: ({ workspace, addressRecord }): Proposal<ChangePeopleOutcome> => {
				if (workspace === null) return { result: { refused: 'not_found' } };
				const desk = peopleAfter(workspace.desk, input, address, deps.clock.now());
				if ('refused' in desk) return { result: desk };
				const item = { ...workspace, version: workspace.version + 1, desk };
				return {
					result: { workspace: item },
					writes: {
						workspace: { op: 'put', record: 'workspace', item, guard: { if: 'version', version: workspace.version } },
						address: address === null ? [] : addressWrites(address, addressRecord, item),
						line: deps.line ?? [],
					},
					afterwards: async () =>
						input.change === 'invite' && address !== null && sendLink({ address, reason: 'invitation' }, deps),
				};
			},
		},
		deps.store,
	);
}

const hasOwner = (people: readonly DeskPerson[]): boolean => people.some(({ role }) => role === 'owner');

/** `address`: the one of the change, as it is stored; null: all people. */
function peopleAfter(
	people: readonly DeskPerson[],
	peopleChange: PeopleChange,
	address: string | null,
	now_ms: number,
): readonly DeskPerson[] | PersonRefusal {
	const sessions_from = new Date(now_ms).toISOString();
	if (address === null) return people.map((person) => ({ ...person, sessions_from }));
	const person = people.find((each) => each.address === address);
	const others = people.filter((each) => each !== person);
	if (peopleChange.change === 'end_sessions' && person !== undefined) return [...others, { ...person, sessions_from }];
	// Inviting a person again changes the role and ends no session.
	const after =
		peopleChange.change === 'invite'
			? [...others, { address, sessions_from, ...person, role: peopleChange.role }]
			: others;
	if (peopleChange.change !== 'invite' && person === undefined) return { refused: 'person_unknown' };
	if (hasOwner(people) && !hasOwner(after)) return { refused: 'last_owner' };
	return after.length > MOST_DESK_PEOPLE ? { refused: 'desk_full' } : after;
}

/** The record of an address after a change of one workspace's people; an address without a desk has none. */
function addressWrites(
	address: string,
	addressRecord: DeskAddress | null,
	{ id, desk = [] }: Workspace,
): readonly Write[] {
	const others = (addressRecord?.workspace_ids ?? []).filter((workspace_id) => workspace_id !== id);
	const workspace_ids = desk.some((person) => person.address === address) ? [...others, id] : others;
	const guard =
		addressRecord === null ? ({ if: 'absent' } as const) : ({ if: 'version', version: addressRecord.version } as const);
	if (workspace_ids.length === 0) {
		return addressRecord === null ? [] : [{ op: 'remove', record: 'desk_address', key: { address }, guard }];
	}
	const item = { address, version: (addressRecord?.version ?? 0) + 1, workspace_ids };
	return [{ op: 'put', record: 'desk_address', item, guard }];
}
