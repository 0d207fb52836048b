import { type DeskPerson, hasAccepted } from '../../domain/workspaces/desk-person.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';

type Desk = Pick<Workspace, 'desk'>;

/** The person of a desk with this address. */
export const personIn = ({ desk }: Desk, address: string): DeskPerson | undefined =>
	desk.find((each) => each.address === address);

/** Whether the address is one of the desk's people, and the person has opened it. */
export function hasJoined(workspace: Desk, address: string): boolean {
	const person = personIn(workspace, address);
	return person !== undefined && hasAccepted(person);
}

/** The workspaces that name this address among the people of their desk; `only`: at most this one, unless null. */
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
