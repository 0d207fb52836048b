import { hashOf } from '../kernel/link-token.ts';
import type { Language } from '../workspaces/language.ts';

// How a person gets to a desk: a link by mail, once, and then a session. The table has only hashes of their secrets.

/** A sign-in link works for 15 minutes, the one in an invitation for three days. */
export const DESK_LINK_SECONDS = { sign_in: 15 * 60, invitation: 72 * 3600 } as const;
/** What a link can do instead of opening a desk: let its mailbox agree to get the team's messages, or put a desk back. */
export const linkPurposes = ['notices', 'put_back'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];
/** Kept after expiry, so that we can answer "expired" instead of "not valid". */
export const DESK_LINK_REMEMBERED_SECONDS = 24 * 3600;

/**
 * The link in a mail to a person of a desk. Works once, in any browser: people read their mail on another device. The browser
 * that asked for it may use it again, because programs that check mail use links, too. Its id is the SHA-256 of the secret, which
 * only the mail contains.
 */
export type DeskLink = {
	readonly id: string;
	readonly version: number;
	readonly address: string;
	/** The one desk that an invitation, or a link from an operator, opens; null: any desk of the address. */
	readonly invited_to: string | null;
	readonly created_at: string;
	readonly expires_at: string;
	readonly used_at: string | null;
	/** The SHA-256 of the secret of the browser that asked for it; absent: no browser did. */
	readonly asked_by?: string;
	/** The session that its latest use began; absent: it was not used. */
	readonly session_id?: string;
	readonly expires_at_epoch_s: number;
	/** Absent: it opens a desk. Such a link is about the desk of `invited_to`, and begins no session. */
	readonly purpose?: LinkPurpose;
};

/** Whether this browser asked for the link. `browser`: the hash of the browser's secret; null: it has none. */
export const isAskedBy = ({ asked_by }: DeskLink, browser: string | null): boolean =>
	asked_by !== undefined && asked_by === browser;

/** The link after a use that began a session. */
export const deskLinkAfterUse = (link: DeskLink, session_id: string, nowMs: number): DeskLink => ({
	...link,
	version: link.version + 1,
	used_at: new Date(nowMs).toISOString(),
	session_id,
});

/** Whether a use of another link has ended this one: all that were mailed before it. */
export const isEndedBy = ({ created_at, used_at }: DeskLink, mailbox: DeskMailbox | null): boolean =>
	mailbox !== null && created_at < mailbox.links_from && used_at !== mailbox.links_from;

/** When an address last used a link: all links that were mailed to it before have ended. Kept as long as such a link is. */
export type DeskMailbox = {
	readonly address: string;
	readonly version: number;
	readonly links_from: string;
	readonly expires_at_epoch_s: number;
};

export function mailboxAfterUse(before: DeskMailbox | null, address: string, nowMs: number): DeskMailbox {
	const expires_at_epoch_s = Math.floor(nowMs / 1000) + DESK_LINK_SECONDS.invitation + DESK_LINK_REMEMBERED_SECONDS;
	const links_from = new Date(nowMs).toISOString();
	return { address, version: (before?.version ?? 0) + 1, links_from, expires_at_epoch_s };
}

export type DeskLinkRequest =
	| {
			readonly address: string;
			readonly reason: 'sign_in';
			/** The hash of the asking browser's secret; absent: an operator asks. */
			readonly asked_by?: string | undefined;
			/** The language of the page on which the link was asked for; used in a mail that names no desk. */
			readonly language?: Language | undefined;
	  }
	| {
			readonly address: string;
			readonly reason: 'invitation';
			readonly workspace_id: string;
			/** The person of the desk who invites; absent: an operator does. */
			readonly invited_by?: string | undefined;
			/**
			 * The link does not open the desk: its mailbox agrees to get the team's messages. A release that does not know this
			 * member mails only people of the desk.
			 */
			readonly purpose?: 'notices' | undefined;
	  };

export function newDeskLink(request: DeskLinkRequest, secret: Uint8Array, nowMs: number): DeskLink {
	const expiresMs = nowMs + DESK_LINK_SECONDS[request.reason] * 1000;
	return {
		id: hashOf(secret),
		version: 1,
		address: request.address,
		invited_to: request.reason === 'invitation' ? request.workspace_id : null,
		created_at: new Date(nowMs).toISOString(),
		expires_at: new Date(expiresMs).toISOString(),
		used_at: null,
		...(request.reason === 'sign_in' && request.asked_by !== undefined && { asked_by: request.asked_by }),
		expires_at_epoch_s: Math.floor(expiresMs / 1000) + DESK_LINK_REMEMBERED_SECONDS,
		...(request.reason === 'invitation' && request.purpose !== undefined && { purpose: request.purpose }),
	};
}

/** A link that puts a desk back. `expires_at`: an hour after the change that it undoes. */
export function newPutBackLink(
	{ address, workspace_id }: { readonly address: string; readonly workspace_id: string },
	secret: Uint8Array,
	expires_at: string,
	nowMs: number,
): DeskLink {
	return {
		id: hashOf(secret),
		version: 1,
		address,
		invited_to: workspace_id,
		created_at: new Date(nowMs).toISOString(),
		expires_at,
		used_at: null,
		expires_at_epoch_s: Math.floor(Date.parse(expires_at) / 1000) + DESK_LINK_REMEMBERED_SECONDS,
		purpose: 'put_back',
	};
}
