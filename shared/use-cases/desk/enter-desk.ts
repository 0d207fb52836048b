import { type DeskSession, isLiveSession, renewSession, secretIn, sessionId } from '../../domain/desk/desk-session.ts';
import type { DeskPerson } from '../../domain/workspaces/desk-person.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';

/** A person with a live session at a desk. `secret`: the one in the cookie, which form tokens are made from. */
export type AtDesk = {
	readonly workspace: Workspace;
	readonly person: DeskPerson;
	readonly session: DeskSession;
	readonly secret: Uint8Array;
};

/** Ends the session. */
export async function leaveDesk({ session: { id } }: AtDesk, { store }: Pick<Ports, 'store'>): Promise<void> {
	await store.commit([{ op: 'remove', record: 'desk_session', key: { id }, guard: { if: 'always' } }]);
}

/**
 * The session of a request's cookies, with its workspace and its person; null if there is none, it has ended, or the person
 * is no longer one of the desk.
 */
export async function enterDesk(
	cookies: readonly string[],
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<AtDesk | null> {
	const secret = secretIn(cookies);
	const session = secret === null ? null : await store.get('desk_session', { id: sessionId(secret) });
	if (secret === null || session === null) return null;
	const workspace = await store.get('workspace', { id: session.workspace_id });
	const person = workspace?.desk.find(({ address }) => address === session.address);
	if (workspace === null || person === undefined || !isLiveSession(session, person, clock.now())) return null;
	return { workspace, person, session, secret };
}

/** Moves the session's end, once a day. True: the browser needs the cookie again, whose end is to move, too. */
export async function prolongSession(
	{ session }: AtDesk,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<boolean> {
	const item = renewSession(session, clock.now());
	if (item === null) return false;
	const guard = { if: 'version', version: session.version } as const;
	return (await store.commit([{ op: 'put', record: 'desk_session', item, guard }])).committed;
}
