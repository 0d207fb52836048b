import type { Instruction } from '../domain/calls/instruction.ts';
import type { LegFact, LegRole } from '../domain/calls/leg.ts';

export type { Instruction };

export type DialRequest = {
	readonly call_id: string;
	readonly leg_id: string;
	readonly role: LegRole;
	/** The number in E.164. The number is held only in memory. */
	readonly to: string;
	/** The number that the phone shows as the caller, in E.164. Null for the deployment's number. */
	readonly from: string | null;
	/**
	 * After this many seconds, the provider stops ringing. The seconds are counted by the provider's clock (the clock of
	 * simulated phones may run faster than ours).
	 */
	readonly ring_seconds: number;
	/** Whether the provider should report that the phone rings. Each report costs a request. */
	readonly tells_ringing: boolean;
};

/**
 * The result of a dial. Only a `throttled` dial may be repeated, because the provider has not processed that dial. `code`
 * is the provider's own code, or else `http_` with the status, `lost`, or `not_sent`. `code` is never the provider's
 * message, because a message may contain the number.
 */
export type DialOutcome =
	/** `provider_id` is null if only the first callback will contain the id. */
	| { readonly dial: 'accepted'; readonly provider_id: string | null }
	| { readonly dial: 'rejected'; readonly reason: 'provider_rejected' | 'unreachable'; readonly code: string }
	| { readonly dial: 'throttled'; readonly retry_after_seconds: number; readonly code: string }
	/** After a time-out, a 5xx or a reset, the phone may or may not ring. The leg is never dialed again. */
	| { readonly dial: 'unclear'; readonly code: string };

export type HangupOutcome =
	| { readonly hangup: 'done' }
	| { readonly hangup: 'already_over' }
	| { readonly hangup: 'unclear'; readonly code: string };
/**
 * `gone`: the provider has no record of the leg. `not_supported`: the provider's documentation describes no way to
 * delete the record. `document` is the address of that documentation.
 */
export type EraseOutcome =
	| { readonly erase: 'done' | 'gone' }
	| { readonly erase: 'not_supported'; readonly document: string }
	| { readonly erase: 'failed'; readonly code: string };
/** `missing`: the provider does not know the leg. */
export type LookupOutcome =
	| { readonly lookup: 'found'; readonly fact: LegFact }
	| { readonly lookup: 'missing' }
	| { readonly lookup: 'unclear' };

export type ProviderRequest = {
	readonly call_id: string;
	readonly leg_id: string;
	/** The MAC after the leg's id in the path of the request (`<leg_id>.<mac>`). Empty if the path contains no MAC. */
	readonly leg_mac: string;
	/** The path of the request, relative to the base URL, without the query. */
	readonly path: string;
	/** The names are in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly raw_body: string;
};
/**
 * What a request from a provider says. `forged`: its signature is wrong, or is missing although the provider documents a
 * signature, or its address is not one that we gave to the provider with a dial. `ignored`: the request is genuine, but
 * contains nothing to act on; an unknown status never ends a live call. `detail` is what the log shows of the request: a
 * query string without phone numbers, and with a short hash in place of each id.
 */
export type ReceiveOutcome =
	/**
	 * `unsigned`: the request had no signature. Only the MAC in its address shows that the request comes from the provider.
	 */
	| { readonly received: 'fact'; readonly fact: LegFact; readonly detail: string; readonly unsigned?: true }
	| { readonly received: 'ignored'; readonly why: string; readonly detail: string }
	| { readonly received: 'forged' };

export type ProviderMarkup = { readonly content_type: string; readonly body: string };

/** A phone provider. Adapters keep no state of their own. */
export type Telephony = {
	dial(request: DialRequest): Promise<DialOutcome>;
	hangup(providerId: string): Promise<HangupOutcome>;
	/** Deletes the provider's record of a leg that has ended. */
	erase(providerId: string): Promise<EraseOutcome>;
	lookup(legId: string, providerId: string | null): Promise<LookupOutcome>;
	/**
	 * Checks that a request comes from the provider, and reads it. A request for instructions is also a fact: the leg was
	 * answered, or the person has pressed 1.
	 */
	receive(request: ProviderRequest): Promise<ReceiveOutcome>;
	/** `path`: the path of the leg's requests for instructions. */
	render(instruction: Instruction, context: { readonly call_id: string; readonly path: string }): ProviderMarkup;
};
