import { deskAddress } from '../workspaces/desk-person.ts';

/** Why the mail service sends nothing to an address: a mail to it was returned, or its owner reported one as spam. */
export const blockReasons = ['bounce', 'complaint'] as const;
export type BlockReason = (typeof blockReasons)[number];

/** A block is forgotten this long after the last mail that it stopped: nothing else would remove that of an unused address. */
export const BLOCKED_ADDRESS_SECONDS = 90 * 24 * 3600;

/** A mail address that the mail service sends nothing to, as the last mail to it has shown. */
export type BlockedAddress = {
	/** In lower case. */
	readonly address: string;
	readonly reason: BlockReason;
	/** When a mail was last not sent (ISO 8601). */
	readonly noticed_at: string;
	readonly expires_at_epoch_s: number;
};

export function blockedAddress(address: string, reason: BlockReason, nowMs: number): BlockedAddress {
	const expires_at_epoch_s = Math.floor(nowMs / 1000) + BLOCKED_ADDRESS_SECONDS;
	return { address: deskAddress(address), reason, noticed_at: new Date(nowMs).toISOString(), expires_at_epoch_s };
}

/** The block after a mail was sent: expired, so that the worker need not delete records. */
export const endedBlock = (block: BlockedAddress, nowMs: number): BlockedAddress => {
	return { ...block, expires_at_epoch_s: Math.floor(nowMs / 1000) };
};

export const blockCodes = {
	bounce: 'address_bounced',
	complaint: 'address_complained',
} as const satisfies Readonly<Record<BlockReason, string>>;
