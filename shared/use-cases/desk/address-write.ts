import type { DeskPerson } from '../../domain/workspaces/desk-person.ts';
import type { Write } from '../../ports/store.ts';

const guard = { if: 'always' } as const;
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
			.map(({ address }): Write => ({ op: 'put', record: 'desk_address', item: { address, workspace_id }, guard })),
		...before
			.filter(missingIn(after))
			.map(({ address }): Write => ({ op: 'remove', record: 'desk_address', key: { address, workspace_id }, guard })),
	];
}

/** The write that records that a person visits the desk now. */
export function visitWrite(
	{ address, workspace_id }: { readonly address: string; readonly workspace_id: string },
	nowMs: number,
): Write {
	const item = { address, workspace_id, visited_at: new Date(nowMs).toISOString() };
	return { op: 'put', record: 'desk_address', item, guard };
}
