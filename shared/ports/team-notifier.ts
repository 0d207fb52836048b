/** A message to a team's address. */
export type TeamMessage = {
	readonly to: string;
	readonly subject: string;
	readonly text: string;
	readonly html?: string;
};

/** What became of a message; `code` is the mail service's own, and names no address. */
export type NotifyOutcome =
	| { readonly notified: 'sent' }
	/** It will never be taken as it is. */
	| { readonly notified: 'refused'; readonly code: string }
	/** Not now, or nobody knows (then it may have been sent): worth another try. */
	| { readonly notified: 'failed'; readonly code: string };

/** Sends one message, once. Never throws. */
export type TeamNotifier = { send(message: TeamMessage): Promise<NotifyOutcome> };
