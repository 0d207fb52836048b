import type { MailResponse } from './mail.ts';

// A stand-in for the account's suppression list of Amazon SES. After a restart it is empty.

/**
 * If the part of an address before the @ is one of these words, its mail bounces or gets a complaint. It applies to every
 * domain, as in SES's mailbox simulator.
 */
const MISBEHAVING = { bounce: 'BOUNCE', complaint: 'COMPLAINT' } as const;
type Reason = (typeof MISBEHAVING)[keyof typeof MISBEHAVING];

const OPERATIONS = { GET: 'GetSuppressedDestination', DELETE: 'DeleteSuppressedDestination' } as const;

type SuppressionRequest = {
	readonly operation: (typeof OPERATIONS)[keyof typeof OPERATIONS];
	readonly address: string;
};

/** Reads the request from its method and its path. Null if it is another request. */
export function suppressionRequest(method = '', path = ''): SuppressionRequest | null {
	const [, part] = /^\/v2\/email\/suppression\/addresses\/([^/?]+)$/.exec(path) ?? [];
	if (part === undefined || (method !== 'GET' && method !== 'DELETE')) return null;
	return { operation: OPERATIONS[method], address: decodeURIComponent(part) };
}

export type SuppressionList = {
	respond(request: SuppressionRequest): MailResponse;
	/** Whether a mail to this address arrives. If it bounces or gets a complaint, the address is added to the list. */
	delivers(to: string): boolean;
};

const NOT_FOUND: MailResponse = {
	status: 404,
	error_type: 'NotFoundException',
	body: { message: 'Email address does not exist on your suppression list.' },
};

export function suppressionList(): SuppressionList {
	/** The entries, by address as it was written in the mail. */
	const entries = new Map<string, { readonly reason: Reason; readonly at_ms: number }>();
	const isListed = (to: string): boolean =>
		[...entries.keys()].some((address) => address.toLowerCase() === to.toLowerCase());
	return {
		respond({ operation, address: EmailAddress }) {
			// SES ignores upper and lower case when it sends, but not in the operations of the list.
			const entry = entries.get(EmailAddress);
			if (entry === undefined) return NOT_FOUND;
			if (operation === OPERATIONS.DELETE) {
				entries.delete(EmailAddress);
				return { status: 200, error_type: null, body: {} };
			}
			const SuppressedDestination = { EmailAddress, Reason: entry.reason, LastUpdateTime: entry.at_ms / 1000 };
			return { status: 200, error_type: null, body: { SuppressedDestination } };
		},
		delivers(to) {
			if (isListed(to)) return false;
			const [, reason] = Object.entries(MISBEHAVING).find(([name]) => to.toLowerCase().startsWith(`${name}@`)) ?? [];
			if (reason !== undefined) entries.set(to, { reason, at_ms: Date.now() });
			return reason !== 'BOUNCE';
		},
	};
}
