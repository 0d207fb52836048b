import { type DeskPerson, hasAccepted } from '../../domain/workspaces/desk-person.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';

type Desk = Pick<Workspace, 'desk'>;

/** The person with this address at a desk. */
export const personIn = ({ desk }: Desk, address: string): DeskPerson | undefined =>
	desk.find((each) => each.address === address);

/** Whether the person with this address belongs to the desk and has opened it at least once. */
export function hasJoined(workspace: Desk, address: string): boolean {
	const person = personIn(workspace, address);
	return person !== undefined && hasAccepted(person);
}

/**
 * The workspaces whose desk has a person with this address. `only` is the id of the only workspace to return, or null to
 * return all of them.
 */
export async function desksOf(
	address: string,
	only: string | null,
	store: Pick<Ports['store'], 'get' | 'desksOf'>,
): Promise<readonly Workspace[]> {
	const ids = only === null ? (await store.desksOf(address)).map(({ workspace_id }) => workspace_id) : [only];
	const workspaces = await Promise.all(ids.map((id) => store.get('workspace', { id })));
	return workspaces
		.filter((workspace) => workspace !== null)
		.filter((workspace) => personIn(workspace, address) !== undefined);
}
