import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { asRead, change } from '../kernel/change.ts';

/** The additions of a person who edits a workspace: a check, and a line in the desk's history. */
export type EditContext = {
	/** Whether the person has seen the current state; otherwise the change is refused. */
	readonly hasSeen?: (current: Workspace) => boolean;
	/** A line of the audit list, written in the same transaction. */
	readonly line?: Write;
};

/** What an edit changes, with the writes of other records in the same transaction. */
type Edit = { readonly changes: Partial<Workspace>; readonly writes?: readonly Write[] };
export type EditOutcome<R> =
	| { readonly workspace: Workspace }
	| { readonly refused: R | 'not_found' | 'changed_meanwhile' };

/** Reads a workspace and changes it in one transaction, unless the edit refuses or the person has not seen its state. */
export async function editWorkspace<R>(
	id: string,
	edit: (before: Workspace) => Edit | { readonly refused: R } | Promise<Edit | { readonly refused: R }>,
	{ store, line, hasSeen }: Pick<Ports, 'store'> & EditContext,
): Promise<EditOutcome<R>> {
	return change<Workspace | null, EditOutcome<R>>(
		{
			read: () => store.get('workspace', { id }),
			decide: async (before) => {
				if (before === null) return { result: { refused: 'not_found' } };
				if (hasSeen?.(before) === false) return { result: { refused: 'changed_meanwhile' } };
				const edited = await edit(before);
				if ('refused' in edited) return { result: edited };
				const item = { ...before, ...edited.changes, version: before.version + 1 };
				const guard = asRead(before);
				return {
					result: { workspace: item },
					writes: {
						workspace: { op: 'put', record: 'workspace', item, guard },
						others: edited.writes ?? [],
						line: line ?? [],
					},
				};
			},
		},
		store,
	);
}
