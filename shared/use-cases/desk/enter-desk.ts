import { cookieIn, type DeskSession, isLiveSession, renewSession } from '../../domain/desk/session-cookie.ts';
import { hashOf, parseSecret } from '../../domain/kernel/link-token.ts';
import type { DeskPerson } from '../../domain/workspaces/desk-person.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { asRead } from '../kernel/unit-of-work.ts';

type Deps = Pick<Ports, 'store' | 'clock'>;
/**
 * A person with a live session at a desk. `secret` is the secret from the cookie. The tokens of forms are made from this
 * secret.
 */
export type AtDesk = {
	readonly workspace: Workspace;
	readonly person: DeskPerson;
	readonly session: DeskSession;
	readonly secret: Uint8Array;
};

export const endSession = (id: string): Write => ({
	op: 'remove',
	record: 'desk_session',
	key: { id },
	guard: { if: 'always' },
});

export async function signOut({ session: { id } }: AtDesk, { store }: Pick<Ports, 'store'>): Promise<void> {
	await store.commit([endSession(id)]);
}

/**
 * Returns the session that a request's cookies name, with its workspace and its person. Null if there is no session, if the
 * session has ended, or if the person no longer belongs to the desk.
 */
export async function enterDesk(cookies: readonly string[], { store, clock }: Deps): Promise<AtDesk | null> {
	const secret = parseSecret(cookieIn(cookies));
	const session = secret === null ? null : await store.get('desk_session', { id: hashOf(secret) });
	if (secret === null || session === null) return null;
	const workspace = await store.get('workspace', { id: session.workspace_id });
	const person = workspace === null ? null : personOf(session, workspace, clock.now());
	return workspace === null || person === null ? null : { workspace, person, session, secret };
}

/** The person of a session. Null if the session has ended, or if the person no longer belongs to the desk. */
export function personOf(session: DeskSession, { desk }: Workspace, nowMs: number): DeskPerson | null {
	const person = desk.find(({ address }) => address === session.address);
	return person !== undefined && isLiveSession(session, person, nowMs) ? person : null;
}

/**
 * Moves the session's end to a later time and records the visit, once a day. Returns true if the end was moved. In that
 * case, the cookie must be sent again, because the cookie's end has moved, too.
 */
export async function prolongSession({ session, workspace }: AtDesk, { store, clock }: Deps): Promise<boolean> {
	const nowMs = clock.now();
	const item = renewSession(session, nowMs, workspace.time_zone);
	if (item === null) return false;
	const renewed: Write = { op: 'put', record: 'desk_session', item, guard: asRead(session) };
	return (await store.commit([renewed, visitWrite(session, nowMs)])).committed;
}

/** The write that records that a person visits the desk now. */
export function visitWrite(
	{ address, workspace_id }: { readonly address: string; readonly workspace_id: string },
	nowMs: number,
): Write {
	const item = { address, workspace_id, visited_at: new Date(nowMs).toISOString() };
	return { op: 'put', record: 'desk_address', item, guard: { if: 'always' } };
}
