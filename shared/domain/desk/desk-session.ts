import { createHash, timingSafeEqual } from 'node:crypto';
import { hashOf } from '../kernel/link-token.ts';
import type { DeskPerson } from '../workspaces/desk-person.ts';

/** A session ends this long after its last use. */
const SESSION_SECONDS = 30 * 24 * 3600;
/** A use moves the end of the session once a day, so that most pages write nothing. */
const RENEWED_AFTER_SECONDS = 24 * 3600;
/** 256 random bits, in a cookie. */
export const SESSION_SECRET_BYTES = 32;
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

/** The id of the session with this secret. */
export const sessionId = (secret: Uint8Array): string => hashOf(secret);

const ends = (now_ms: number): number => Math.floor(now_ms / 1000) + SESSION_SECONDS;

export function newSession(
	secret: Uint8Array,
	about: Pick<DeskSession, 'workspace_id' | 'address'>,
	now_ms: number,
): DeskSession {
	const began_at = new Date(now_ms).toISOString();
	return { ...about, id: sessionId(secret), version: 1, began_at, expires_at_epoch_s: ends(now_ms) };
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
	const value = secret === null ? '' : Buffer.from(secret).toString('base64url');
	const age = secret === null ? 0 : SESSION_SECONDS;
	return `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${age}; Secure; HttpOnly; SameSite=Lax`;
}

/** The secret in the request's cookies; null if there is none of ours. */
export function secretIn(cookies: readonly string[]): Uint8Array | null {
	const prefix = `${SESSION_COOKIE}=`;
	const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length) ?? '';
	const secret = Buffer.from(value, 'base64url');
	return secret.byteLength === SESSION_SECRET_BYTES ? secret : null;
}

/** The token that every form of a session's pages contains. Only the holder of the cookie's secret can compute it. */
export function formToken(secret: Uint8Array): string {
	return createHash('sha256').update('form of the desk').update(secret).digest('base64url');
}

/** Whether a form contains the token of this session. Compares in constant time. */
export function isFormOf(secret: Uint8Array, token: string): boolean {
	const [a, b] = [Buffer.from(formToken(secret)), Buffer.from(token)];
	return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
