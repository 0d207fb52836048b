import { hashOf, isSecretOf } from '../kernel/link-token.ts';

/** A sign-in link works for 15 minutes, the one in an invitation for three days. */
const LIFETIME_SECONDS = { sign_in: 15 * 60, invitation: 72 * 3600 } as const;
export type DeskLinkReason = keyof typeof LIFETIME_SECONDS;
/** Kept after expiry, so that we can answer "expired" instead of "not valid". */
const REMEMBERED_SECONDS = 24 * 3600;

/** The link in a mail to a person of a desk. Works once, in any browser: people read their mail on another device. */
export type DeskLink = {
	readonly id: string;
	readonly version: number;
	readonly address: string;
	/** The SHA-256 of the secret, which only the mail contains. */
	readonly secret_hash: string;
	readonly expires_at: string;
	readonly used_at: string | null;
	readonly expires_at_epoch_s: number;
};

export function newDeskLink(
	about: Pick<DeskLink, 'id' | 'address'>,
	reason: DeskLinkReason,
	secret: Uint8Array,
	now_ms: number,
): DeskLink {
	const expires_ms = now_ms + LIFETIME_SECONDS[reason] * 1000;
	return {
		...about,
		version: 1,
		secret_hash: hashOf(secret),
		expires_at: new Date(expires_ms).toISOString(),
		used_at: null,
		expires_at_epoch_s: Math.floor(expires_ms / 1000) + REMEMBERED_SECONDS,
	};
}

/** Whether this link may be used with this secret. */
export function isOpen(link: DeskLink, secret: Uint8Array, now_ms: number): 'open' | 'not_valid' | 'used' | 'expired' {
	if (!isSecretOf([link.secret_hash], secret)) return 'not_valid';
	if (link.used_at !== null) return 'used';
	return Date.parse(link.expires_at) <= now_ms ? 'expired' : 'open';
}

/** The link after its one use. */
export function usedLink(link: DeskLink, now_ms: number): DeskLink {
	return { ...link, version: link.version + 1, used_at: new Date(now_ms).toISOString() };
}
