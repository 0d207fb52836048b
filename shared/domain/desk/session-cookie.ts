import { formatSecret, hashOf } from '../kernel/link-token.ts';
import type { DeskPerson } from '../workspaces/desk-person.ts';

/** A session ends this long after its last use. */
export const SESSION_SECONDS = 30 * 24 * 3600;
/** A use moves the end of the session once a day, so that most pages write nothing. */
const RENEWED_AFTER_SECONDS = 24 * 3600;
/** The browser keeps a cookie of this name only if it is Secure, of this host alone, and for every path (RFC 6265bis). */
export const SESSION_COOKIE = '__Host-desk';

/** A person's session at one desk. Its id is the SHA-256 of the secret in the cookie. */
export type DeskSession = {
	readonly id: string;
	readonly version: number;
	readonly workspace_id: string;
	readonly address: string;
	readonly began_at: string;
	readonly expires_at_epoch_s: number;
};

const ends = (now_ms: number): number => Math.floor(now_ms / 1000) + SESSION_SECONDS;

type Person = Pick<DeskSession, 'workspace_id' | 'address'>;

export function newSession(secret: Uint8Array, person: Person, now_ms: number): DeskSession {
	const began_at = new Date(now_ms).toISOString();
	return { ...person, id: hashOf(secret), version: 1, began_at, expires_at_epoch_s: ends(now_ms) };
}

/** Whether the session is one of this person's, and has not ended. */
export function isLiveSession(session: DeskSession, person: DeskPerson, now_ms: number): boolean {
	const { address, sessions_from } = person;
	if (session.address !== address || session.began_at < sessions_from) return false;
	return session.expires_at_epoch_s * 1000 > now_ms;
}

/** The session after a use; null if there is nothing to write yet. */
export function renewSession(session: DeskSession, now_ms: number): DeskSession | null {
	const expires_at_epoch_s = ends(now_ms);
	if (expires_at_epoch_s - session.expires_at_epoch_s < RENEWED_AFTER_SECONDS) return null;
	return { ...session, version: session.version + 1, expires_at_epoch_s };
}

/** The cookie of a session; with null, the one that takes it from the browser. */
export function sessionCookie(secret: Uint8Array | null): string {
	const [value, age] = secret === null ? ['', 0] : [formatSecret(secret), SESSION_SECONDS];
	return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${age}; Secure; HttpOnly; SameSite=Lax`;
}

/** The value of our cookie among those of a request; empty if there is none. */
export function cookieIn(cookies: readonly string[]): string {
	const prefix = `${SESSION_COOKIE}=`;
	return cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length) ?? '';
}
