import type { Instruction } from '../domain/calls/instruction.ts';
import type { LegFact, LegRole } from '../domain/calls/leg.ts';

export type { Instruction };

export type DialRequest = {
	readonly call_id: string;
	readonly leg_id: string;
	readonly role: LegRole;
	/** E.164, in clear: held in memory only. */
	readonly to: string;
	/** The number that the phone shows, in E.164; null: the deployment's own. */
	readonly from: string | null;
	/** Stop ringing after this, by the provider's clock (a simulated one may run faster than ours). */
	readonly ring_seconds: number;
	/** Whether the provider should report that the phone rings. Each report costs a request. */
	readonly tells_ringing: boolean;
};

/**
 * The result of a dial. Only `throttled` may be retried, because the provider did not process it. `code`: the provider's
 * own code, otherwise `http_` and the status, `lost` or `not_sent`. It never contains the provider's message, which may
 * contain the number.
 */
export type DialOutcome =
	/** Null: the first callback contains the id. */
	| { readonly dial: 'accepted'; readonly provider_id: string | null }
	| { readonly dial: 'rejected'; readonly reason: 'provider_rejected' | 'unreachable'; readonly code: string }
	| { readonly dial: 'throttled'; readonly retry_after_seconds: number; readonly code: string }
	/** Time-out, 5xx, reset: the phone may or may not ring. The leg is never dialled again. */
	| { readonly dial: 'unclear'; readonly code: string };

export type HangupOutcome =
	| { readonly hangup: 'done' }
	| { readonly hangup: 'already_over' }
	| { readonly hangup: 'unclear'; readonly code: string };
/** `gone`: the provider has no record of the leg. `not_supported`: it documents no deletion, at this address. */
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
	/** The MAC that follows the leg's id in the requested path (`<leg_id>.<mac>`); empty if there is none. */
	readonly leg_mac: string;
	/** The requested path, relative to the base URL, without query. */
	readonly path: string;
	/** Lower-case names. */
	readonly headers: Readonly<Record<string, string>>;
	readonly raw_body: string;
};
/**
 * `forged`: its signature is wrong, or missing where the provider documents one, or no dial has given out its address.
 * `ignored`: genuine, but without anything that we act on (an unknown status never ends a live call). `detail`: the
 * request's content for the log, as a query string, without numbers and with stand-ins for ids.
 */
export type ReceiveOutcome =
	/** `unsigned`: it had no signature, and only the MAC of its address shows that it is the provider's. */
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
	/** Verifies and translates. A request for instructions is also a fact: the leg answered, or accepted. */
	receive(request: ProviderRequest): Promise<ReceiveOutcome>;
	/** `path`: the path of the leg's requests for instructions. */
	render(instruction: Instruction, context: { readonly call_id: string; readonly path: string }): ProviderMarkup;
};
