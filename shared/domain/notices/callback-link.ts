import { hashOf, isSecretOf } from '../kernel/link-token.ts';

/** How long a link in a message may be used: three days, which covers a weekend. */
const MESSAGE_SECONDS = 72 * 3600;
/**
 * How long a link from the desk may be used. The time is short, because *Call back* on the desk opens the link's page at
 * once.
 */
const DESK_SECONDS = 15 * 60;
export const CALLBACK_LINK_SECONDS = { message: MESSAGE_SECONDS, desk: DESK_SECONDS } as const;
/** How long a link is stored after it has expired, so that we can answer "expired" instead of "not found". */
export const CALLBACK_LINK_REMEMBERED_SECONDS = 30 * 24 * 3600;
/**
 * The most secrets for messages that one link can have. If one more is added, the oldest secret for a message is removed.
 * This does not happen in practice, because fewer messages are sent about a lead.
 */
const MOST_SECRETS = 30;
/**
 * The most secrets for the desk that one link can have, in addition to the secrets for messages. If one more is added, the
 * oldest secret for the desk is removed.
 */
const MOST_OF_THE_DESK = 10;

/** The SHA-256 of a secret, and when the secret expires. The secret itself is only in the message or on the desk's page. */
type LinkSecret = {
	readonly hash: string;
	readonly expires_at: string;
	/**
	 * `desk`: the secret was made by *Call back* on the desk. Absent if the secret is in a message, or is older than this
	 * field.
	 */
	readonly of?: 'desk';
};

/**
 * The record of the one-time "ring me and connect" link of a lead or a missed call. Each repeated message has a secret of
 * its own, with an expiry of its own. Any of the secrets opens the link, and using one of them ends all of them.
 */
export type CallbackLink = {
	/** The id of the lead whose visitor the link calls back. If `of` is set, the id of the missed call. */
	readonly lead_id: string;
	readonly of?: 'call';
	/** When a person marked the missed call as handled. Absent if no person did. */
	readonly handled_at?: string;
	readonly version: number;
	readonly workspace_id: string;
	/** Oldest first. */
	readonly secrets: readonly LinkSecret[];
	readonly used_at: string | null;
	/** The call that the latest use of the link created. Null if the link was never used, or if it can be used once more. */
	readonly call_id: string | null;
	/** The calls that earlier uses of the link created, oldest first. Absent if there are no such calls. */
	readonly former_call_ids?: readonly string[];
	readonly expires_at_epoch_s: number;
};

export const callIdsOf = ({ former_call_ids = [], call_id }: CallbackLink): readonly string[] =>
	call_id === null ? former_call_ids : [...former_call_ids, call_id];

/** A used link that can be used once more, but not with any of the old secrets. */
const madeUsable = (link: CallbackLink): CallbackLink => ({
	...link,
	secrets: [],
	used_at: null,
	call_id: null,
	former_call_ids: callIdsOf(link),
});

type AboutLink = Pick<CallbackLink, 'lead_id' | 'workspace_id' | 'of'>;
const blankLink = (about: AboutLink) => ({ ...about, used_at: null, call_id: null });

/** The link of a missed call that a person has marked as handled. No secret opens it. */
export function handledLink(before: CallbackLink | null, about: AboutLink, nowMs: number): CallbackLink {
	return {
		...(before ?? blankLink(about)),
		version: (before?.version ?? 0) + 1,
		secrets: [],
		handled_at: new Date(nowMs).toISOString(),
		expires_at_epoch_s: Math.max(
			before?.expires_at_epoch_s ?? 0,
			Math.floor(nowMs / 1000) + CALLBACK_LINK_REMEMBERED_SECONDS,
		),
	};
}

/** The link of a missed call that a person has put back on the list. */
export const reopenedLink = ({ handled_at: _, ...link }: CallbackLink): CallbackLink => ({
	...link,
	version: link.version + 1,
});

/**
 * The link with one more secret. The new secret is valid from now on, but not after `lastMs`. The other secrets keep their
 * expiry.
 */
export function withSecret(
	before: CallbackLink | null,
	about: AboutLink,
	secret: Uint8Array,
	nowMs: number,
	where: keyof typeof CALLBACK_LINK_SECONDS = 'message',
	lastMs = Infinity,
): CallbackLink {
	const link = before !== null && before.used_at !== null ? madeUsable(before) : before;
	const expiresMs = Math.min(nowMs + CALLBACK_LINK_SECONDS[where] * 1000, lastMs);
	const of = where === 'desk' && ({ of: where } as const);
	const added = { hash: hashOf(secret), expires_at: new Date(expiresMs).toISOString(), ...of };
	return {
		...(link ?? blankLink(about)),
		version: (link?.version ?? 0) + 1,
		secrets: mostSecrets([...(link?.secrets ?? []), added]),
		expires_at_epoch_s: Math.max(
			link?.expires_at_epoch_s ?? 0,
			Math.floor(expiresMs / 1000) + CALLBACK_LINK_REMEMBERED_SECONDS,
		),
	};
}

/** The newest secrets of each kind, as many as the limits allow, oldest first. */
function mostSecrets(secrets: readonly LinkSecret[]): readonly LinkSecret[] {
	const isOfDesk = ({ of }: LinkSecret): boolean => of === 'desk';
	const newest = new Set([
		...secrets.filter((secret) => !isOfDesk(secret)).slice(-MOST_SECRETS),
		...secrets.filter(isOfDesk).slice(-MOST_OF_THE_DESK),
	]);
	return secrets.filter((secret) => newest.has(secret));
}

/**
 * When this secret of the link expires. Null if the link does not have this secret. Comparing a hash takes the same time in
 * every case.
 */
export function endOfSecret({ secrets }: CallbackLink, secret: Uint8Array): string | null {
	return secrets.find(({ hash }) => isSecretOf([hash], secret))?.expires_at ?? null;
}

export function callbackLinkAfterUse(link: CallbackLink, call_id: string, nowMs: number): CallbackLink {
	return { ...link, version: link.version + 1, used_at: new Date(nowMs).toISOString(), call_id };
}
