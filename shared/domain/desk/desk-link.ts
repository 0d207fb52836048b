import { hashOf, isSecretOf } from '../kernel/link-token.ts';

/** A sign-in link works for 15 minutes, the one in an invitation for three days. */
const LIFETIME_SECONDS = { sign_in: 15 * 60, invitation: 72 * 3600 } as const;
/** Kept after expiry, so that we can answer "expired" instead of "not valid". */
const REMEMBERED_SECONDS = 24 * 3600;

/**
 * The link in a mail to a person of a desk. It exists for every address that was entered, but only a known address is sent
 * a mail, so that the answer and its time do not tell whether an address is known.
 */
export type DeskLink = {
	readonly id: string;
	readonly version: number;
	readonly address: string;
	readonly reason: keyof typeof LIFETIME_SECONDS;
	/** The SHA-256 of the secret of each mail that was sent; the mails contain the secrets. */
	readonly secret_hashes: readonly string[];
	readonly expires_at: string;
	readonly used_at: string | null;
	readonly expires_at_epoch_s: number;
};

/** A link that no mail contains yet. */
export function newDeskLink(about: Pick<DeskLink, 'id' | 'address' | 'reason'>, now_ms: number): DeskLink {
	const expires_ms = now_ms + LIFETIME_SECONDS[about.reason] * 1000;
	return {
		...about,
		version: 1,
		secret_hashes: [],
		expires_at: new Date(expires_ms).toISOString(),
		used_at: null,
		expires_at_epoch_s: Math.floor(expires_ms / 1000) + REMEMBERED_SECONDS,
	};
}

/** The link with the secret of one more mail. */
export function linkAfterMail(link: DeskLink, secret: Uint8Array): DeskLink {
	return { ...link, version: link.version + 1, secret_hashes: [...link.secret_hashes, hashOf(secret)] };
}

/** Whether this link may be used with this secret. */
export function isOpen(link: DeskLink, secret: Uint8Array, now_ms: number): 'open' | 'not_valid' | 'used' | 'expired' {
	if (!isSecretOf(link.secret_hashes, secret)) return 'not_valid';
	if (link.used_at !== null) return 'used';
	return Date.parse(link.expires_at) <= now_ms ? 'expired' : 'open';
}

/** The link after its one use. */
export function usedLink(link: DeskLink, now_ms: number): DeskLink {
	return { ...link, version: link.version + 1, used_at: new Date(now_ms).toISOString() };
}
