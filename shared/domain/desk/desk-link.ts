import { hashOf } from '../kernel/link-token.ts';
import type { Language } from '../workspaces/language.ts';

// How a person gets to a desk: with a mailed link, which works once, and then with a session. The table stores only hashes
// of their secrets.

/** How long a link works: a link to sign in for 15 minutes, the link in an invitation for three days. */
export const DESK_LINK_SECONDS = { sign_in: 15 * 60, invitation: 72 * 3600 } as const;
/**
 * What a link can do instead of opening a desk. By using a link for `notices`, the owner of the mail address agrees to get
 * the team's messages. A link for `put_back` restores a desk after a handover.
 */
export const linkPurposes = ['notices', 'put_back'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];
/** How long a link is stored after it has expired, so that we can answer "expired" instead of "not valid". */
export const DESK_LINK_REMEMBERED_SECONDS = 24 * 3600;

/**
 * The link in a mail to a person of a desk. The link works once and in any browser, because people read their mail on other
 * devices. After that, only the browser that asked for the link may use it again, because programs that check mail use
 * links, too. The id of the link is the SHA-256 of the secret, which only the mail contains.
 */
export type DeskLink = {
	readonly id: string;
	readonly version: number;
	readonly address: string;
	/**
	 * The only desk that the link opens, if it comes with an invitation or from an operator. Null if it opens any desk of
	 * the address.
	 */
	readonly invited_to: string | null;
	readonly created_at: string;
	readonly expires_at: string;
	readonly used_at: string | null;
	/** The SHA-256 of the secret of the browser that asked for the link. Absent if no browser asked for the link. */
	readonly asked_by?: string;
	/** The session that began when the link was last used. Absent if the link was not used. */
	readonly session_id?: string;
	readonly expires_at_epoch_s: number;
	/**
	 * What the link does instead of opening a desk. A link with a purpose concerns the desk `invited_to` and begins no
	 * session. Absent if the link opens a desk.
	 */
	readonly purpose?: LinkPurpose;
};

/**
 * Whether this browser asked for the link. `browser` is the hash of the browser's secret, or null if the browser has no
 * secret.
 */
export const isAskedBy = ({ asked_by }: DeskLink, browser: string | null): boolean =>
	asked_by !== undefined && asked_by === browser;

/** The link after a use that began a session. */
export const deskLinkAfterUse = (link: DeskLink, session_id: string, nowMs: number): DeskLink => ({
	...link,
	version: link.version + 1,
	used_at: new Date(nowMs).toISOString(),
	session_id,
});

/**
 * Whether the use of another link has ended this link. Using a link ends all other links that were mailed to the address
 * before that use.
 */
export const isEndedBy = ({ created_at, used_at }: DeskLink, mailbox: DeskMailbox | null): boolean =>
	mailbox !== null && created_at < mailbox.links_from && used_at !== mailbox.links_from;

/**
 * When a link that was mailed to this address was last used. All links that were mailed before that time have ended. This
 * record is kept as long as any of those links is stored.
 */
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
			/** The hash of the asking browser's secret. Absent if an operator asks for the link. */
			readonly asked_by?: string | undefined;
			/**
			 * The language of the page on which the link was asked for. A mail that names no desk is written in this
			 * language.
			 */
			readonly language?: Language | undefined;
	  }
	| {
			readonly address: string;
			readonly reason: 'invitation';
			readonly workspace_id: string;
			/** The person of the desk who invites. Absent if an operator invites. */
			readonly invited_by?: string | undefined;
			/**
			 * If this field is set, the link does not open the desk. By using the link, the owner of the mailbox agrees to
			 * get the team's messages. A release that does not know this field takes the request for an invitation. It sends
			 * the mail only if the address belongs to a person of the desk.
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

/** A link that restores a desk after a handover. `expires_at` is an hour after the handover. */
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
