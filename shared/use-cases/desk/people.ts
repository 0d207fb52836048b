import { newDeskLink } from '../../domain/desk/desk-link.ts';
import { type DeskPerson, type DeskRole, deskAddress, MOST_DESK_PEOPLE } from '../../domain/workspaces/desk-person.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { DeskAddress } from '../../ports/registry.ts';
import type { Write } from '../../ports/store.ts';
import { change, type Proposal } from '../kernel/change.ts';
import type { EditContext } from '../workspaces/change-workspace.ts';
import { sendLink } from './ask-for-link.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids'> & Pick<EditContext, 'line'>;

/** A change of the people of a desk, each by the address. */
export type PeopleChange =
	| { readonly change: 'invite'; readonly address: string; readonly role: DeskRole }
	| { readonly change: 'remove'; readonly address: string }
	/** Ends the sessions of one person, or of all. */
	| { readonly change: 'end_sessions'; readonly address: string | null };
export type ChangePeopleOutcome =
	| { readonly workspace: Workspace }
	| { readonly refused: 'not_found' | 'person_unknown' | 'last_owner' | 'desk_full' };

type PeopleState = { readonly workspace: Workspace | null; readonly known: DeskAddress | null };

/**
 * Changes who may use a workspace's desk, together with the record that finds the workspace by an address. The sessions of
 * a person who is removed end at once, because every page looks the person up. An invitation is mailed afterwards; a second
 * one for the same address changes the role and mails again. There is always an owner.
 */
export async function changePeople(id: string, input: PeopleChange, deps: Deps): Promise<ChangePeopleOutcome> {
	const peopleChange = normalise(input);
	const { address } = peopleChange;
	return change<PeopleState, ChangePeopleOutcome>(
		{
			read: async () => {
				const [workspace, addressRecord] = await Promise.all([
					deps.store.get('workspace', { id }),
					address === null ? null : deps.store.get('desk_address', { address }),
				]);
				return { workspace, known: addressRecord };
			},
			decide: ({ workspace, known: addressRecord }): Proposal<ChangePeopleOutcome> => {
				if (workspace === null) return { result: { refused: 'not_found' } };
				const desk = peopleAfter(workspace.desk ?? [], peopleChange, deps.clock.now());
				if ('refused' in desk) return { result: desk };
				const item = { ...workspace, version: workspace.version + 1, desk: desk.people };
				const guard = { if: 'version', version: workspace.version } as const;
				const line = deps.line ?? [];
				return {
					result: { workspace: item },
					writes: {
						workspace: { op: 'put', record: 'workspace', item, guard },
						address: address === null ? [] : addressWrites(address, addressRecord, item),
						line,
					},
					afterwards: async () => peopleChange.change === 'invite' && address !== null && mailInvitation(address, deps),
				};
			},
		},
		deps.store,
	);
}

/** The change with the address as it is stored. */
function normalise(input: PeopleChange): PeopleChange {
	if (input.address === null) return input;
	return { ...input, address: deskAddress(input.address) };
}

type After =
	| { readonly people: readonly DeskPerson[] }
	| { readonly refused: Exclude<Extract<ChangePeopleOutcome, { refused: string }>['refused'], 'not_found'> };

function peopleAfter(people: readonly DeskPerson[], peopleChange: PeopleChange, now_ms: number): After {
	const sessions_from = new Date(now_ms).toISOString();
	if (peopleChange.change === 'end_sessions' && peopleChange.address === null) {
		return { people: people.map((person) => ({ ...person, sessions_from })) };
	}
	const person = people.find(({ address }) => address === peopleChange.address);
	const others = people.filter((each) => each !== person);
	if (peopleChange.change === 'invite') return withInvited(others, person, peopleChange, sessions_from);
	if (person === undefined) return { refused: 'person_unknown' };
	if (peopleChange.change === 'end_sessions') return { people: [...others, { ...person, sessions_from }] };
	return hasOwner(others) || person.role === 'member' ? { people: others } : { refused: 'last_owner' };
}

/** `person`: the one who has this address already, and keeps the sessions. */
function withInvited(
	others: readonly DeskPerson[],
	person: DeskPerson | undefined,
	{ address, role }: Extract<PeopleChange, { readonly change: 'invite' }>,
	sessions_from: string,
): After {
	if (role === 'member' && person?.role === 'owner' && !hasOwner(others)) return { refused: 'last_owner' };
	if (others.length >= MOST_DESK_PEOPLE) return { refused: 'desk_full' };
	return { people: [...others, { address, role, sessions_from: person?.sessions_from ?? sessions_from }] };
}

const hasOwner = (people: readonly DeskPerson[]): boolean => people.some(({ role }) => role === 'owner');

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

async function mailInvitation(address: string, deps: Deps): Promise<void> {
	const now_ms = deps.clock.now();
	await sendLink(newDeskLink({ id: deps.ids.next(now_ms), address, reason: 'invitation' }, now_ms), deps);
}
