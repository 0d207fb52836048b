import type { Call } from '../domain/calls/call.ts';
import type { CallbackLead } from '../domain/leads/callback-lead.ts';
import type { BlockReason } from '../domain/notices/blocked-address.ts';
import type { EndpointFact, Handover, NoticeTest, SecretMade } from '../domain/notices/team-notice.ts';
import type { DeskRole } from '../domain/workspaces/desk-person.ts';
import type { TeamLocale } from '../domain/workspaces/language.ts';

export type Addressee = {
	/** A mail address, or the URL of a chat. Such a URL is secret. */
	readonly to: string;
	/**
	 * Empty if the message names no workspace. Only a sign-in mail may name none: it names the desk that the recipient has
	 * joined, and the recipient may have joined several desks, or none yet.
	 */
	readonly workspace_name: string;
	readonly locale: TeamLocale;
};

/** The facts for a message about a lead. The number is masked. */
export type LeadContent = {
	readonly lead: Pick<CallbackLead, 'name' | 'note' | 'visitor_phone_masked' | 'source_url' | 'created_at'>;
	/** The one-time link, which is secret. */
	readonly link: { readonly url: string; readonly expires_at: string };
};

/** The facts for a message about a webhook endpoint. Of `url`, the message shows only the host and the path. */
export type EndpointContent = {
	readonly fact: EndpointFact;
	readonly workspace_id: string;
	readonly url: string;
};

/** Calls that the team did not answer, oldest first. The numbers are masked. */
export type MissedCallsContent = {
	readonly calls: readonly (Pick<
		Call,
		'id' | 'visitor_name' | 'visitor_phone_masked' | 'source_url' | 'created_at' | 'reference' | 'failure_reason'
	> & {
		readonly rung: readonly string[];
	})[];
	readonly more: number;
	/**
	 * The page of the desk from which the team can call these visitors back. Null if no person at the desk may call back.
	 */
	readonly desk_url: string | null;
};

export type DeskContent = {
	/** `notices`: the mail asks whether the team's messages may go to this address. */
	readonly reason: 'sign_in' | 'invitation' | 'notices';
	/** For an invitation: the role to which the person is invited, and by whom. `by` is null if an operator invites. */
	readonly invited?: { readonly role: DeskRole | null; readonly by: string | null };
	/** Where answers to this mail go. Null if the workspace has no such address. */
	readonly team_email: string | null;
	/** The one-time link, which is secret. */
	readonly desk_link: { readonly url: string; readonly expires_at: string };
};

export type SecretContent = {
	readonly made: SecretMade;
	/** The page of the desk with the key or the endpoint. */
	readonly desk_url: string;
};

/**
 * `put_back`: the secret link that undoes the change, and the time at which this link expires. Null if the change cannot be
 * undone.
 */
export type HandoverContent = {
	readonly handover: Handover;
	readonly put_back: { readonly url: string; readonly expires_at: string } | null;
};

export type TestContent = { readonly test: NoticeTest };

export type LeadNotice = Addressee & LeadContent;
export type EndpointNotice = Addressee & EndpointContent;
export type DeskMail = Addressee & DeskContent;
export type MissedCallsNotice = Addressee & MissedCallsContent;
export type SecretNotice = Addressee & SecretContent;
export type HandoverNotice = Addressee & HandoverContent;
export type TestNotice = Addressee & TestContent;
export type TeamMessage =
	| LeadNotice
	| EndpointNotice
	| MissedCallsNotice
	| DeskMail
	| SecretNotice
	| HandoverNotice
	| TestNotice;

/**
 * What became of a message. `code` is the mail service's own code, or says how a post failed. The code contains no address.
 */
export type NotifyOutcome =
	/**
	 * If it is not known whether the address is blocked, `unchecked` is a code that says why. In that case, the message may
	 * not arrive.
	 */
	| { readonly notified: 'sent'; readonly unchecked?: string }
	/** Not sent, because the mail service would accept the message but send nothing to this address. */
	| { readonly notified: 'blocked'; readonly reason: BlockReason }
	/** Refused permanently. */
	| { readonly notified: 'refused'; readonly code: string }
	/**
	 * The failure may be temporary, or it is unknown whether the message was sent. In both cases, the message should be
	 * sent again later.
	 */
	| { readonly notified: 'failed'; readonly code: string };

/** Sends one message to one recipient, once. Never throws. */
export type TeamNotifier = { tell(message: TeamMessage): Promise<NotifyOutcome> };
