import { hashOf } from '../kernel/link-token.ts';
import { deskAddress } from '../workspaces/desk-person.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { BLOCKED_ADDRESS_SECONDS } from './blocked-address.ts';

/** A chat or mail address that has had no message since `since`, because each try failed. */
export type FailingRecipient = {
	/** See `chatRecipient` and `mailRecipient`. */
	readonly recipient: string;
	/** Why the last try failed: a status such as `http_404`, a code of the sender, or the mail service's own. */
	readonly code: string;
	/** When the first of these tries failed (ISO 8601). */
	readonly since: string;
	/** 90 days after the last failure, or now if a message was sent since. */
	readonly expires_at_epoch_s: number;
};

/** The chat of a workspace. It differs for each URL that is set, and does not contain it; null: the workspace has no chat. */
export function chatRecipient({ id, team_webhook }: Pick<Workspace, 'id' | 'team_webhook'>): string | null {
	return team_webhook === null ? null : `chat#${id}#${hashOf(Buffer.from(team_webhook.sealed))}`;
}

export const mailRecipient = (address: string): string => `mail#${deskAddress(address)}`;

/** The record after one more failure. `before`: the record so far, if no message was sent in between. */
export function failingRecipient(
	recipient: string,
	code: string,
	before: FailingRecipient | null,
	nowMs: number,
): FailingRecipient {
	const since = before?.since ?? new Date(nowMs).toISOString();
	return { recipient, code, since, expires_at_epoch_s: Math.floor(nowMs / 1000) + BLOCKED_ADDRESS_SECONDS };
}

/** The record after a message was sent: expired, so that the worker need not delete records. */
export const endedFailure = (failing: FailingRecipient, nowMs: number): FailingRecipient => {
	return { ...failing, expires_at_epoch_s: Math.floor(nowMs / 1000) };
};
