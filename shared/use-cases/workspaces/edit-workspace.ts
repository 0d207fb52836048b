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
