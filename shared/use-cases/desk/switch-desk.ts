import { isLiveSession, leftSession, maySwitch, sessionAt } from '../../domain/desk/session-cookie.ts';
import { SECRET_BYTES } from '../../domain/kernel/link-token.ts';
import { type DeskPerson, hasAccepted } from '../../domain/workspaces/desk-person.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { asRead, change } from '../kernel/unit-of-work.ts';
import { auditEntry } from './audit-entry.ts';
import { desksOf, personIn } from './desks-of.ts';
import { type AtDesk, visitWrite } from './enter-desk.ts';

/** Another desk that the session's person belongs to, and what that desk stores about the person. */
export type OtherDesk = { readonly workspace: Workspace; readonly person: DeskPerson };

/**
 * The desks that the person may switch to, sorted by name. These are the desks that the person has joined and that have not
 * ended the person's sessions since this session began. There are none if the person may not switch from this session (see
 * `maySwitch`).
 */
export async function otherDesks(
	{ session, workspace: here }: Pick<AtDesk, 'session' | 'workspace'>,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<readonly OtherDesk[]> {
	if (!maySwitch(session)) return [];
	const desks = (await desksOf(session.address, null, store)).flatMap((workspace) => {
		const person = personIn(workspace, session.address);
		const isOpen = person !== undefined && hasAccepted(person) && isLiveSession(session, person, clock.now());
		return isOpen && workspace.id !== here.id ? [{ workspace, person }] : [];
	});
	return desks.sort(
		(a, b) => a.workspace.name.localeCompare(b.workspace.name) || (a.workspace.id < b.workspace.id ? -1 : 1),
	);
}

/**
 * Begins a session for the person at another desk. The session has its own secret. So a form of the current desk that is
 * still open cannot change anything at the other desk. The session at the current desk ends within a minute. Returns the
 * secret for the cookie, or null if the person may not switch to that desk.
 */
export async function switchDesk(
	at: AtDesk,
	workspace_id: string,
	deps: Pick<Ports, 'store' | 'clock' | 'ids'>,
): Promise<Uint8Array | null> {
	const { store, clock, ids } = deps;
	return change(
		{
			read: () => store.get('desk_session', { id: at.session.id }),
			decide: async (session) => {
				const desks = session === null ? [] : await otherDesks({ ...at, session }, deps);
				if (session === null || desks.every(({ workspace }) => workspace.id !== workspace_id)) return { result: null };
				const secret = ids.random(SECRET_BYTES);
				const who = { workspace_id, address: session.address };
				const left = leftSession(session, clock.now());
				return {
					result: secret,
					writes: {
						session: {
							op: 'put',
							record: 'desk_session',
							item: sessionAt(workspace_id, secret, session, clock.now()),
							guard: asRead(null),
						},
						left:
							session.left_at === undefined
								? [{ op: 'put', record: 'desk_session', item: left, guard: asRead(session) }]
								: [],
						visit: visitWrite(who, clock.now()),
						entry: auditEntry({ ...who, change: 'signed_in', about: null }, deps),
					},
				};
			},
		},
		store,
	);
}
