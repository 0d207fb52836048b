import type { MailResponse } from './mail.ts';

// A stand-in for the account's suppression list of Amazon SES. After a restart, the list is empty.

/**
 * If the part of an address before the @ is one of these words, a mail to the address bounces or gets a complaint. The
 * domain makes no difference. SES's mailbox simulator has the same words.
 */
const MISBEHAVING = { bounce: 'BOUNCE', complaint: 'COMPLAINT' } as const;
type Reason = (typeof MISBEHAVING)[keyof typeof MISBEHAVING];

const OPERATIONS = { GET: 'GetSuppressedDestination', DELETE: 'DeleteSuppressedDestination' } as const;

type SuppressionRequest = {
	readonly operation: (typeof OPERATIONS)[keyof typeof OPERATIONS];
	readonly address: string;
};

/** Reads from the method and the path what a request does with the list. Null if the request has nothing to do with the list. */
export function suppressionRequest(method = '', path = ''): SuppressionRequest | null {
	const [, part] = /^\/v2\/email\/suppression\/addresses\/([^/?]+)$/.exec(path) ?? [];
	if (part === undefined || (method !== 'GET' && method !== 'DELETE')) return null;
	return { operation: OPERATIONS[method], address: decodeURIComponent(part) };
}

export type SuppressionList = {
	respond(request: SuppressionRequest): MailResponse;
	/** Whether a mail to this address arrives. If the mail bounces or gets a complaint, the address is added to the list. */
	delivers(to: string): boolean;
};

const NOT_FOUND: MailResponse = {
	status: 404,
	error_type: 'NotFoundException',
	body: { message: 'Email address does not exist on your suppression list.' },
};

export function suppressionList(): SuppressionList {
	/** The entries. The key is the address exactly as the mail has it, in upper and lower case. */
	const entries = new Map<string, { readonly reason: Reason; readonly at_ms: number }>();
	const isListed = (to: string): boolean =>
		[...entries.keys()].some((address) => address.toLowerCase() === to.toLowerCase());
	return {
		respond({ operation, address: EmailAddress }) {
			// Upper and lower case in an address do not matter when SES sends a mail. But upper and lower case matter for
			// the operations of the list.
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
