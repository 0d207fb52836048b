import { hashOf } from '../kernel/link-token.ts';
import { deskAddress } from '../workspaces/desk-person.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { BLOCKED_ADDRESS_SECONDS } from './blocked-address.ts';

/** A chat or a mail address that has got no message since `since`, because every try failed. */
export type FailingRecipient = {
	/** The text that `chatRecipient` or `mailRecipient` returns. */
	readonly recipient: string;
	/** Why the last try failed: a status such as `http_404`, a code of our sender, or a code of the mail service. */
	readonly code: string;
	/** When the series of failures began (ISO 8601). No try has succeeded since. */
	readonly since: string;
	/** When the record expires: 90 days after the last failure, or as soon as a message has been sent after that failure. */
	readonly expires_at_epoch_s: number;
};

/**
 * The name of a workspace's chat in these records. The name differs for each URL that was ever set, but does not contain
 * the URL. Null if the workspace has no chat.
 */
export function chatRecipient({ id, team_webhook }: Pick<Workspace, 'id' | 'team_webhook'>): string | null {
	return team_webhook === null ? null : `chat#${id}#${hashOf(Buffer.from(team_webhook.sealed))}`;
}

export const mailRecipient = (address: string): string => `mail#${deskAddress(address)}`;

/**
 * The record after another failure. `before` is the record of the previous failures. Null if there were none, or if a message
 * was sent after them.
 */
export function failingRecipient(
	recipient: string,
	code: string,
	before: FailingRecipient | null,
	nowMs: number,
): FailingRecipient {
	const since = before?.since ?? new Date(nowMs).toISOString();
	return { recipient, code, since, expires_at_epoch_s: Math.floor(nowMs / 1000) + BLOCKED_ADDRESS_SECONDS };
}

/**
 * The record once a message was sent. The record expires at once. It is not deleted, because the worker has no permission to
 * delete records.
 */
export const endedFailure = (failing: FailingRecipient, nowMs: number): FailingRecipient => {
	return { ...failing, expires_at_epoch_s: Math.floor(nowMs / 1000) };
};
