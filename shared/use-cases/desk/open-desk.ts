import { newDeskChange } from '../../domain/desk/desk-change.ts';
import { type DeskLink, isOpen, usedLink } from '../../domain/desk/desk-link.ts';
import { newSession, SESSION_SECRET_BYTES } from '../../domain/desk/desk-session.ts';
import { parseToken } from '../../domain/kernel/link-token.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { change } from '../kernel/change.ts';

type Deps = Pick<Ports, 'store' | 'clock'>;
/** A link that may be used, with the workspaces whose desk it opens. */
export type FoundLink = { readonly link: DeskLink; readonly workspaces: readonly Workspace[] };
type DeskLinkRefusal = { readonly refused: 'link_not_valid' | 'link_used' | 'link_expired' };

/** The workspaces that name this address among the people of their desk. */
export async function desksOf(address: string, store: Deps['store']): Promise<readonly Workspace[]> {
	const record = await store.get('desk_address', { address });
	const workspaces = await Promise.all((record?.workspace_ids ?? []).map((id) => store.get('workspace', { id })));
	return workspaces.filter((workspace): workspace is Workspace =>
		(workspace?.desk ?? []).some((person) => person.address === address),
	);
}

/** Finds the link of a token. It changes nothing, because programs such as mail scanners also open links. */
export async function findDeskLink(token: string, { store, clock }: Deps): Promise<FoundLink | DeskLinkRefusal> {
	const parts = parseToken(token);
	const link = parts === null ? null : await store.get('desk_link', { id: parts.id });
	if (parts === null || link === null) return { refused: 'link_not_valid' };
	const state = isOpen(link, parts.secret, clock.now());
	if (state !== 'open') return { refused: `link_${state}` };
	const workspaces = await desksOf(link.address, store);
	return workspaces.length === 0 ? { refused: 'link_not_valid' } : { link, workspaces };
}

/**
 * Uses up a link and begins a session at the desk of one of its workspaces, in one transaction: of several uses, one wins.
 * Returns the secret for the cookie; the table has its hash.
 */
export async function openDesk(
	{ token, workspace_id }: { readonly token: string; readonly workspace_id: string },
	deps: Deps & Pick<Ports, 'ids'>,
): Promise<{ readonly secret: Uint8Array } | DeskLinkRefusal> {
	const { store, clock, ids } = deps;
	return change<FoundLink | DeskLinkRefusal, { readonly secret: Uint8Array } | DeskLinkRefusal>(
		{
			read: () => findDeskLink(token, deps),
			decide: (state) => {
				if ('refused' in state) return { result: state };
				const { link, workspaces } = state;
				if (workspaces.every(({ id }) => id !== workspace_id)) return { result: { refused: 'link_not_valid' } };
				const now_ms = clock.now();
				const secret = ids.random(SESSION_SECRET_BYTES);
				const who = { workspace_id, address: link.address };
				const line = newDeskChange({ ...who, id: ids.next(now_ms), change: 'signed_in', about: null }, now_ms);
				const item = usedLink(link, now_ms);
				const [seen, fresh] = [{ if: 'version', version: link.version } as const, { if: 'absent' } as const];
				return {
					result: { secret },
					writes: {
						link: { op: 'put', record: 'desk_link', item, guard: seen },
						session: { op: 'put', record: 'desk_session', item: newSession(secret, who, now_ms), guard: fresh },
						line: { op: 'put', record: 'desk_change', item: line, guard: fresh },
					},
				};
			},
		},
		store,
	);
}
