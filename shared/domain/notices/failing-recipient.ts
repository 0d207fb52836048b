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
	/** When the first try since the last message failed (ISO 8601). */
	readonly since: string;
	/** 90 days after the last failure. If a message has been sent since that failure, the time at which it was sent. */
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

/** The record after another failure. `before` is the record so far, if no message was sent in between. */
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
 * The record after a message was sent. This record has expired already, so the worker needs no permission to delete
 * records.
 */
export const endedFailure = (failing: FailingRecipient, nowMs: number): FailingRecipient => {
	return { ...failing, expires_at_epoch_s: Math.floor(nowMs / 1000) };
};
