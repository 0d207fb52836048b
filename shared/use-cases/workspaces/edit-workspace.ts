import type { DeskPerson } from '../../domain/workspaces/desk-person.ts';
import { formerMembers, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { asRead, change } from '../kernel/unit-of-work.ts';

/**
 * `owners_only`: the person may not make this change, or may no longer make it. `changed_meanwhile`: the person has not
 * seen the current state.
 */
export type EditRefusal = 'owners_only' | 'changed_meanwhile';

/** How the person who edits a workspace is checked. */
export type EditContext = {
	/**
	 * Says why this person may not make the change in the current state. This function is called again each time the
	 * workspace is read. Null if the person may make the change.
	 */
	readonly refusalIn?: (current: Workspace) => EditRefusal | null;
};

type Edit = { readonly changes: Partial<Workspace>; readonly writes?: readonly Write[] };
export type EditOutcome<R> = { readonly workspace: Workspace } | { readonly refused: R | 'not_found' | EditRefusal };

const ALWAYS = { if: 'always' } as const;

/** Reads a workspace and changes it in one transaction, unless `edit` refuses or the person may not make the change. */
export async function editWorkspace<R>(
	id: string,
	edit: (before: Workspace) => Edit | { readonly refused: R } | Promise<Edit | { readonly refused: R }>,
	{ store, refusalIn }: Pick<Ports, 'store'> & EditContext,
): Promise<EditOutcome<R>> {
	return change<Workspace | null, EditOutcome<R>>(
		{
			read: () => store.get('workspace', { id }),
			decide: async (before) => {
				if (before === null) return { result: { refused: 'not_found' } };
				const refusal = refusalIn?.(before) ?? null;
				if (refusal !== null) return { result: { refused: refusal } };
				const edited = await edit(before);
				if ('refused' in edited) return { result: edited };
				const { team = before.team } = edited.changes;
				const former = formerMembers(before, team);
				const item = { ...before, ...edited.changes, ...former, version: before.version + 1 };
				const guard = asRead(before);
				return {
					result: { workspace: item },
					writes: {
						workspace: { op: 'put', record: 'workspace', item, guard },
						others: edited.writes ?? [],
					},
				};
			},
		},
		store,
	);
}

/** The writes of the records that a preflight request reads. These records show whether any workspace allows an origin. */
export function originWrites(
	workspace_id: string,
	before: readonly string[],
	after: readonly string[],
): readonly Write[] {
	const newOrigins = [...new Set(after)].filter((origin) => !before.includes(origin));
	const oldOrigins = before.filter((origin) => !after.includes(origin));
	return [
		...newOrigins.map((origin): Write => {
			return { op: 'put', record: 'allowed_origin', item: { origin, workspace_id }, guard: ALWAYS };
		}),
		...oldOrigins.map((origin): Write => {
			return { op: 'remove', record: 'allowed_origin', key: { origin, workspace_id }, guard: ALWAYS };
		}),
	];
}

type People = readonly Pick<DeskPerson, 'address'>[];

/**
 * The writes for a change of a desk's people. A person who joins gets the record that leads from the person's address to
 * the workspace. The record of a person who leaves is removed. The records of all other people stay unchanged, because each
 * record contains the person's last visit.
 */
export function addressWrites(workspace_id: string, before: People, after: People): readonly Write[] {
	const missingIn = (others: People) => {
		const addresses = new Set(others.map(({ address }) => address));
		return ({ address }: People[number]): boolean => !addresses.has(address);
	};
	return [
		...after
			.filter(missingIn(before))
			.map(
				({ address }): Write => ({ op: 'put', record: 'desk_address', item: { address, workspace_id }, guard: ALWAYS }),
			),
		...before.filter(missingIn(after)).map(
			({ address }): Write => ({
				op: 'remove',
				record: 'desk_address',
				key: { address, workspace_id },
				guard: ALWAYS,
			}),
		),
	];
}
