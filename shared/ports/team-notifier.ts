import type { Call } from '../domain/calls/call.ts';
import type { CallbackLead } from '../domain/leads/callback-lead.ts';
import type { BlockReason } from '../domain/notices/blocked-address.ts';
import type { EndpointFact, Handover, SecretMade } from '../domain/notices/team-notice.ts';
import type { DeskRole } from '../domain/workspaces/desk-person.ts';
import type { TeamLocale } from '../domain/workspaces/language.ts';

export type Addressee = {
	/** An address of mail, or the URL of a chat, a secret. */
	readonly to: string;
	/** Empty: the message names no workspace, because the recipient has accepted none, or several. */
	readonly workspace_name: string;
	readonly locale: TeamLocale;
};

/** What a message says of a lead. The number is masked. */
export type LeadContent = {
	readonly lead: Pick<CallbackLead, 'name' | 'note' | 'visitor_phone_masked' | 'source_url' | 'created_at'>;
	/** The one-time link, a secret. */
	readonly link: { readonly url: string; readonly expires_at: string };
};

/** What a message says of a webhook endpoint. It shows no more of `url` than its host and path. */
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
	/** `notices`: to agree that the team's messages go to the address. */
	readonly reason: 'sign_in' | 'invitation' | 'notices';
	/** What a person is invited to do, and by whom; `by` is null where an operator invites. */
	readonly invited?: { readonly role: DeskRole | null; readonly by: string | null };
	/** Who gets an answer to the mail; null: the workspace has not set it. */
	readonly team_email: string | null;
	/** The one-time link, a secret. */
	readonly desk_link: { readonly url: string; readonly expires_at: string };
};

export type SecretContent = {
	readonly made: SecretMade;
	/** The page of the desk that has it. */
	readonly desk_url: string;
};

/** `put_back`: the link that undoes it, a secret, and until when; null: it cannot be undone. */
export type HandoverContent = {
	readonly handover: Handover;
	readonly put_back: { readonly url: string; readonly expires_at: string } | null;
};

export type LeadNotice = Addressee & LeadContent;
export type EndpointNotice = Addressee & EndpointContent;
export type DeskMail = Addressee & DeskContent;
export type MissedCallsNotice = Addressee & MissedCallsContent;
export type SecretNotice = Addressee & SecretContent;
export type HandoverNotice = Addressee & HandoverContent;
export type TeamMessage = LeadNotice | EndpointNotice | MissedCallsNotice | DeskMail | SecretNotice | HandoverNotice;

/** The result of a notice. `code` is the mail service's own, or says how a post failed; it contains no address. */
export type NotifyOutcome =
	/** `unchecked`: the code of why it is unknown whether the address is blocked; then the message may not arrive. */
	| { readonly notified: 'sent'; readonly unchecked?: string }
	/** Not sent: the mail service would accept it and send nothing to this address. */
	| { readonly notified: 'blocked'; readonly reason: BlockReason }
	/** Permanently rejected. */
	| { readonly notified: 'refused'; readonly code: string }
	/** Failed for now, or unknown (then it may have been sent): try again. */
	| { readonly notified: 'failed'; readonly code: string };

/** Sends one message to one addressee, once. Never throws. */
export type TeamNotifier = { tell(message: TeamMessage): Promise<NotifyOutcome> };
