import type { DeskPerson } from '../../domain/workspaces/desk-person.ts';
import type { Write } from '../../ports/store.ts';

/**
 * Adds the record that leads from a person's address to the workspace, or removes it if no person of the desk has the
 * address.
 */
export function addressWrite(address: string, workspace_id: string, people: readonly DeskPerson[]): Write {
	const key = { address, workspace_id };
	const guard = { if: 'always' } as const;
	return people.some((person) => person.address === address)
		? { op: 'put', record: 'desk_address', item: key, guard }
		: { op: 'remove', record: 'desk_address', key, guard };
}
