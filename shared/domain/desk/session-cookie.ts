import { formatSecret, hashOf } from '../kernel/link-token.ts';
import { dateAt } from '../workspaces/business-hours.ts';
import type { DeskPerson } from '../workspaces/desk-person.ts';

/** How long after its last use a session ends. */
export const SESSION_SECONDS = 30 * 24 * 3600;
/**
 * The name makes browsers keep the cookie only if it is Secure, belongs to this host alone and is sent for every path (RFC
 * 6265bis).
 */
export const SESSION_COOKIE = '__Host-desk';

/** The cookie of a browser that asks for a link. The hash of its secret is stored with the link. */
export const ASKING_COOKIE = '__Host-desk-ask';
const ASKING_SECONDS = 3600;

/**
 * A session that begins in a browser that did not ask for the link lasts only a day, because the browser may be a program
 * that checks mail. If the session is used `PROVEN_AFTER_SECONDS` or more after it began, it lasts as long as any other
 * session.
 */
const UNPROVEN_SECONDS = 24 * 3600;
const PROVEN_AFTER_SECONDS = 15 * 60;

/** A person's session at one desk. Its id is the SHA-256 of the secret in the cookie. */
export type DeskSession = {
	readonly id: string;
	readonly version: number;
	readonly workspace_id: string;
	readonly address: string;
	/** When the person used the link. Switching to another desk does not change this time. */
	readonly began_at: string;
	readonly expires_at_epoch_s: number;
	/**
	 * True if the link opened other desks of the address, too. Absent if the link opened only this desk, or if the session
	 * is older than this field.
	 */
	readonly any_desk?: true;
	/**
	 * When the person switched to another desk (ISO 8601). The session ends soon after that. Absent if the person has not
	 * switched.
	 */
	readonly left_at?: string;
};

const ends = (nowMs: number): number => Math.floor(nowMs / 1000) + SESSION_SECONDS;

type Person = Pick<DeskSession, 'workspace_id' | 'address'>;

/**
 * `isAsker`: this browser asked for the link with which the session begins. `anyDesk`: the link opened other desks, too.
 */
export function newSession(
	secret: Uint8Array,
	person: Person,
	nowMs: number,
	{ isAsker = true, anyDesk = false }: { readonly isAsker?: boolean; readonly anyDesk?: boolean } = {},
): DeskSession {
	const began_at = new Date(nowMs).toISOString();
	const expires_at_epoch_s = isAsker ? ends(nowMs) : Math.floor(nowMs / 1000) + UNPROVEN_SECONDS;
	const session = { ...person, id: hashOf(secret), version: 1, began_at, expires_at_epoch_s };
	return anyDesk ? { ...session, any_desk: true } : session;
}

/** Whether the session belongs to this person and has not ended. */
export function isLiveSession(session: DeskSession, person: DeskPerson, nowMs: number): boolean {
	const { address, sessions_from } = person;
	if (session.address !== address || session.began_at < sessions_from) return false;
	return session.expires_at_epoch_s * 1000 > nowMs;
}

const isUnproven = ({ began_at, expires_at_epoch_s }: DeskSession): boolean =>
	expires_at_epoch_s * 1000 - Date.parse(began_at) <= UNPROVEN_SECONDS * 1000;

/**
 * How long a session lasts after its person has switched to another desk. The time is enough for a person who presses the
 * button twice.
 */
const LEFT_SECONDS = 60;

/** The session after its person has switched to another desk. */
export function leftSession(session: DeskSession, nowMs: number): DeskSession {
	const expires_at_epoch_s = Math.min(session.expires_at_epoch_s, Math.floor(nowMs / 1000) + LEFT_SECONDS);
	return { ...session, version: session.version + 1, left_at: new Date(nowMs).toISOString(), expires_at_epoch_s };
}

/**
 * A new session of the same person at another desk. Its `began_at` is the time at which the current session began. So the
 * new session does not work at a desk that has ended the person's sessions since that time.
 */
export function sessionAt(
	workspace_id: string,
	secret: Uint8Array,
	{ address, began_at }: DeskSession,
	nowMs: number,
): DeskSession {
	const expires_at_epoch_s = ends(nowMs);
	return { id: hashOf(secret), version: 1, workspace_id, address, began_at, expires_at_epoch_s, any_desk: true };
}

/**
 * Whether the person may switch from this session to another desk. Switching is not allowed if the session's link opened
 * only this desk, or if a mail scanner may have opened the link instead of the person.
 */
export const maySwitch = (session: DeskSession): boolean =>
	session.any_desk === true && (session.left_at !== undefined || !isUnproven(session));

/**
 * The session after it was used. Null if the use does not move the session's end, so that nothing has to be written. The
 * end moves at most once on each day of the shop's clock.
 */
export function renewSession(session: DeskSession, nowMs: number, timeZone: string): DeskSession | null {
	if (session.left_at !== undefined) return null;
	const expires_at_epoch_s = ends(nowMs);
	const renewedMs = (session.expires_at_epoch_s - SESSION_SECONDS) * 1000;
	if (dateAt(timeZone, renewedMs) >= dateAt(timeZone, nowMs)) return null;
	if (isUnproven(session) && nowMs - Date.parse(session.began_at) < PROVEN_AFTER_SECONDS * 1000) return null;
	return { ...session, version: session.version + 1, expires_at_epoch_s };
}

const cookie = (name: string, value: string, age: number): string =>
	`${name}=${value}; Path=/; Max-Age=${age}; Secure; HttpOnly; SameSite=Lax`;

/** The cookie of a session. If `secret` is null, this cookie removes the session's cookie from the browser. */
export const sessionCookie = (secret: Uint8Array | null): string =>
	secret === null ? cookie(SESSION_COOKIE, '', 0) : cookie(SESSION_COOKIE, formatSecret(secret), SESSION_SECONDS);

export const askingCookie = (secret: Uint8Array): string => cookie(ASKING_COOKIE, formatSecret(secret), ASKING_SECONDS);

/** The value of our cookie with this name in a request. Empty if the request does not have it. */
export function cookieIn(cookies: readonly string[], name: string = SESSION_COOKIE): string {
	const prefix = `${name}=`;
	return cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length) ?? '';
}
