import type { Call } from '../domain/calls/call.ts';
import type { CallbackLead } from '../domain/leads/callback-lead.ts';
import type { BlockReason } from '../domain/notices/blocked-address.ts';
import type { EndpointFact, Handover, NoticeTest, SecretMade } from '../domain/notices/team-notice.ts';
import type { DeskRole } from '../domain/workspaces/desk-person.ts';
import type { TeamLocale } from '../domain/workspaces/language.ts';

export type Addressee = {
	/** A mail address, or the URL of a chat, which is a secret. */
	readonly to: string;
	/** Empty: the message names no workspace, because the recipient has accepted none, or several. */
	readonly workspace_name: string;
	readonly locale: TeamLocale;
};

/** The facts of a message about a lead. The number is masked. */
export type LeadContent = {
	readonly lead: Pick<CallbackLead, 'name' | 'note' | 'visitor_phone_masked' | 'source_url' | 'created_at'>;
	/** The one-time link, a secret. */
	readonly link: { readonly url: string; readonly expires_at: string };
};

/** The facts of a message about a webhook endpoint. It shows only the host and the path of `url`. */
export type EndpointContent = {
	readonly fact: EndpointFact;
	readonly workspace_id: string;
	readonly url: string;
};

/** Calls that the team did not answer, oldest first. Numbers are masked. */
export type MissedCallsContent = {
	readonly calls: readonly (Pick<
		Call,
		'id' | 'visitor_name' | 'visitor_phone_masked' | 'source_url' | 'created_at' | 'reference' | 'failure_reason'
	> & {
		readonly rung: readonly string[];
	})[];
	readonly more: number;
	/** Where the desk has them, each with its button; null: no person is on the desk. */
	readonly desk_url: string | null;
};

export type DeskContent = {
	/** `notices`: asks to agree that the team's messages go to the address. */
	readonly reason: 'sign_in' | 'invitation' | 'notices';
	/** The role that a person is invited to, and by whom; `by` is null for an operator. */
	readonly invited?: { readonly role: DeskRole | null; readonly by: string | null };
	/** Where answers to the mail go; null: the workspace has no such address. */
	readonly team_email: string | null;
	/** The one-time link, a secret. */
	readonly desk_link: { readonly url: string; readonly expires_at: string };
};

export type SecretContent = {
	readonly made: SecretMade;
	/** The page of the desk with the key or endpoint. */
	readonly desk_url: string;
};

/** `put_back`: the link that undoes the change, a secret, and its end; null: the change cannot be undone. */
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

/** The result of a notice. `code` is the mail service's own, or the way a post failed; it contains no address. */
export type NotifyOutcome =
	/** `unchecked`: why it is unknown whether the address is blocked, as a code; then the message may not arrive. */
	| { readonly notified: 'sent'; readonly unchecked?: string }
	/** Not sent: the mail service would accept it and send nothing to this address. */
	| { readonly notified: 'blocked'; readonly reason: BlockReason }
	/** Permanently rejected. */
	| { readonly notified: 'refused'; readonly code: string }
	/** Failed for now, or unknown (then it may have been sent): try again. */
	| { readonly notified: 'failed'; readonly code: string };

/** Sends one message to one addressee, once. Never throws. */
export type TeamNotifier = { tell(message: TeamMessage): Promise<NotifyOutcome> };
