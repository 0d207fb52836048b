import type { DeskPerson } from '../../domain/workspaces/desk-person.ts';
import type { Write } from '../../ports/store.ts';

const guard = { if: 'always' } as const;
type People = readonly Pick<DeskPerson, 'address'>[];

/**
 * Adds the records by which the workspace is found from an address for people who come to the desk, and removes those of people
 * who go. The records of all others stay as they are, because they contain the last visit.
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

/** Records that a person of the desk visits it now. */
export function visitWrite(
	{ address, workspace_id }: { readonly address: string; readonly workspace_id: string },
	nowMs: number,
): Write {
	const item = { address, workspace_id, visited_at: new Date(nowMs).toISOString() };
	return { op: 'put', record: 'desk_address', item, guard };
}
