import type { CallbackLead } from '../domain/leads/callback-lead.ts';
import type { TeamLocale } from '../domain/workspaces/language.ts';

/** The content of a message about a lead. The number is masked. */
export type LeadNotice = {
	/** An address of mail, or the URL of a chat, a secret. */
	readonly to: string;
	readonly workspace_name: string;
	readonly locale: TeamLocale;
	readonly lead: Pick<CallbackLead, 'name' | 'visitor_phone_masked' | 'source_url' | 'created_at'>;
	/** The one-time link, a secret. */
	readonly link: { readonly url: string; readonly expires_at: string };
};

/** What became of a notice; `code` is the mail service's own, or names how a post failed; it names no address. */
export type NotifyOutcome =
	| { readonly notified: 'sent' }
	/** Permanently rejected. */
	| { readonly notified: 'refused'; readonly code: string }
	/** Not now, or unknown (then it may have been sent): worth another try. */
	| { readonly notified: 'failed'; readonly code: string };

/** Tells one team of one lead, once. Never throws. */
export type TeamNotifier = { tell(notice: LeadNotice): Promise<NotifyOutcome> };
