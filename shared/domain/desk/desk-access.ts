import { createHash } from 'node:crypto';
import { formatSecret, hashOf } from '../kernel/link-token.ts';
import { isSameSecret } from '../webhooks/webhook-signature.ts';
import type { DeskPerson } from '../workspaces/desk-person.ts';

// How a person gets to a desk: a link by mail, once, and then a session. The table has only hashes of their secrets.

/** A sign-in link works for 15 minutes, the one in an invitation for three days. */
export const LIFETIME_SECONDS = { sign_in: 15 * 60, invitation: 72 * 3600 } as const;
/** Kept after expiry, so that we can answer "expired" instead of "not valid". */
export const REMEMBERED_SECONDS = 24 * 3600;

/**
 * The link in a mail to a person of a desk. Works once, in any browser: people read their mail on another device. Its id is the
 * SHA-256 of the secret, which only the mail contains.
 */
export type DeskLink = {
	readonly id: string;
	readonly version: number;
	readonly address: string;
	/** The desk that an invitation is to; null: a link to sign in opens any desk of the address. */
	readonly invited_to: string | null;
	readonly created_at: string;
	readonly expires_at: string;
	readonly used_at: string | null;
	readonly expires_at_epoch_s: number;
};

/** When an address last used a link: all that were mailed to it before have ended. Kept as long as one of those would be. */
export type DeskMailbox = {
	readonly address: string;
	readonly version: number;
	readonly links_from: string;
	readonly expires_at_epoch_s: number;
};

export function mailboxAfterUse(before: DeskMailbox | null, address: string, now_ms: number): DeskMailbox {
	const expires_at_epoch_s = Math.floor(now_ms / 1000) + LIFETIME_SECONDS.invitation + REMEMBERED_SECONDS;
	const links_from = new Date(now_ms).toISOString();
	return { address, version: (before?.version ?? 0) + 1, links_from, expires_at_epoch_s };
}

/** Whom a link is mailed to, and why. */
export type DeskLinkRequest =
	| { readonly address: string; readonly reason: 'sign_in' }
	| {
			readonly address: string;
			readonly reason: 'invitation';
			readonly workspace_id: string;
			/** The person of the desk who invites; absent: an operator does. */
			readonly invited_by?: string | undefined;
	  };

export function newDeskLink(request: DeskLinkRequest, secret: Uint8Array, now_ms: number): DeskLink {
	const expires_ms = now_ms + LIFETIME_SECONDS[request.reason] * 1000;
	return {
		id: hashOf(secret),
		version: 1,
		address: request.address,
		invited_to: request.reason === 'invitation' ? request.workspace_id : null,
		created_at: new Date(now_ms).toISOString(),
		expires_at: new Date(expires_ms).toISOString(),
		used_at: null,
		expires_at_epoch_s: Math.floor(expires_ms / 1000) + REMEMBERED_SECONDS,
	};
}

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

/** The token that every form of a session's pages contains. Only the holder of the cookie's secret can compute it. */
export function formToken(secret: Uint8Array): string {
	return createHash('sha256').update('form of the desk').update(secret).digest('base64url');
}

/** Whether a form contains the token of this session. */
export const isFormOf = (secret: Uint8Array, token = ''): boolean => isSameSecret(formToken(secret), token);
