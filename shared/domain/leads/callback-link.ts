import { hashOf, isSecretOf } from '../kernel/link-token.ts';

/** A link may be used for this long after its message: three days, so over a weekend. */
const LINK_SECONDS = 72 * 3600;
/** Kept after expiry, so that we can answer "expired" instead of "not found". */
const REMEMBERED_SECONDS = 30 * 24 * 3600;

/**
 * The record behind the one-time "ring me and connect" link of a lead. Each repeated message has its own secret; any of
 * them opens the link, and one use ends all of them.
 */
export type CallbackLink = {
	readonly lead_id: string;
	readonly version: number;
	readonly workspace_id: string;
	/** The SHA-256 of each secret; only the messages contain the secrets themselves. */
	readonly secret_hashes: readonly string[];
	readonly expires_at: string;
	readonly used_at: string | null;
	/** The call that the link created. */
	readonly call_id: string | null;
	readonly expires_at_epoch_s: number;
};

/** Adds a secret to the link, valid from now. */
export function withSecret(
	link: CallbackLink | null,
	{ lead_id, workspace_id }: Pick<CallbackLink, 'lead_id' | 'workspace_id'>,
	secret: Uint8Array,
	now_ms: number,
): CallbackLink {
	const expires_ms = now_ms + LINK_SECONDS * 1000;
	return {
		...(link ?? { lead_id, workspace_id, used_at: null, call_id: null }),
		version: (link?.version ?? 0) + 1,
		secret_hashes: [...(link?.secret_hashes ?? []), hashOf(secret)],
		expires_at: new Date(expires_ms).toISOString(),
		expires_at_epoch_s: Math.floor(expires_ms / 1000) + REMEMBERED_SECONDS,
	};
}

/** Whether the link has this secret. Compares in constant time. */
export function isGenuine(link: CallbackLink, secret: Uint8Array): boolean {
	return isSecretOf(link.secret_hashes, secret);
}

/** The link after its one use. */
export function linkAfterUse(link: CallbackLink, call_id: string, now_ms: number): CallbackLink {
	return { ...link, version: link.version + 1, used_at: new Date(now_ms).toISOString(), call_id };
}
