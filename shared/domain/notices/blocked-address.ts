import { deskAddress } from '../workspaces/desk-person.ts';

/**
 * Why the mail service sends nothing to an address: a mail to it was returned (`bounce`), or its owner reported a mail as
 * spam (`complaint`).
 */
export const blockReasons = ['bounce', 'complaint'] as const;
export type BlockReason = (typeof blockReasons)[number];

/**
 * A block is forgotten this long after it last stopped a mail. Otherwise the record of an address that is no longer used
 * would stay forever.
 */
export const BLOCKED_ADDRESS_SECONDS = 90 * 24 * 3600;

/** A mail address to which the mail service sends nothing, as the last mail to it has shown. */
export type BlockedAddress = {
	/** In lower case. */
	readonly address: string;
	readonly reason: BlockReason;
	/** When the block last stopped a mail (ISO 8601). */
	readonly noticed_at: string;
	readonly expires_at_epoch_s: number;
};

export function blockedAddress(address: string, reason: BlockReason, nowMs: number): BlockedAddress {
	const expires_at_epoch_s = Math.floor(nowMs / 1000) + BLOCKED_ADDRESS_SECONDS;
	return { address: deskAddress(address), reason, noticed_at: new Date(nowMs).toISOString(), expires_at_epoch_s };
}

/**
 * The record of a block once a mail was sent. The record expires at once. It is not deleted, because the worker has no
 * permission to delete records.
 */
export const endedBlock = (block: BlockedAddress, nowMs: number): BlockedAddress => {
	return { ...block, expires_at_epoch_s: Math.floor(nowMs / 1000) };
};

export const blockCodes = {
	bounce: 'address_bounced',
	complaint: 'address_complained',
} as const satisfies Readonly<Record<BlockReason, string>>;
