import type { Instruction } from '../domain/calls/instruction.ts';
import type { LegFact, LegRole } from '../domain/calls/leg.ts';

export type { Instruction };

export type DialRequest = {
	readonly call_id: string;
	readonly leg_id: string;
	readonly role: LegRole;
	/** E.164, in clear: held in memory only. */
	readonly to: string;
	/** Give up ringing after this, by the provider's clock (a simulated one may run faster than ours). */
	readonly ring_seconds: number;
};

/**
 * What the provider made of a dial. Only `throttled` may be tried again: it was never processed. `code`: why, in the
 * provider's own code, else `http_` and the status, `lost` or `not_sent`; its words are not carried, for they may hold the
 * number.
 */
export type DialOutcome =
	/** Null: the first callback brings the id. */
	| { readonly dial: 'accepted'; readonly provider_id: string | null }
	| { readonly dial: 'rejected'; readonly reason: 'provider_rejected' | 'unreachable'; readonly code: string }
	| { readonly dial: 'throttled'; readonly retry_after_seconds: number; readonly code: string }
	/** Time-out, 5xx, reset: it may or may not ring. Never dialled again. */
	| { readonly dial: 'unclear'; readonly code: string };

export type HangupOutcome =
	| { readonly hangup: 'done' }
	| { readonly hangup: 'already_over' }
	| { readonly hangup: 'unclear'; readonly code: string };
/** `missing`: the provider knows no such leg. */
export type LookupOutcome =
	| { readonly lookup: 'found'; readonly fact: LegFact }
	| { readonly lookup: 'missing' }
	| { readonly lookup: 'unclear' };

/** A callback or instruction request as it came in. */
export type ProviderRequest = {
	readonly call_id: string;
	readonly leg_id: string;
	/** The MAC that the leg's address ends in; null where it has none, as legs of older versions. */
	readonly leg_mac: string | null;
	/** The path below the base URL that was asked for, without query. */
	readonly path: string;
	/** Lower-case names. */
	readonly headers: Readonly<Record<string, string>>;
	readonly raw_body: string;
};
/**
 * `forged`: not signed by the provider, or to an address that no dial has given out. `ignored`: genuine, but says nothing we act on (an unknown status
 * never ends a live call).
 */
export type Received =
	| { readonly received: 'fact'; readonly fact: LegFact }
	| { readonly received: 'ignored'; readonly why: string }
	| { readonly received: 'forged' };

export type Rendered = { readonly content_type: string; readonly body: string };

/** A telephone provider. Five operations; an adapter holds no state of its own. */
export type Telephony = {
	dial(request: DialRequest): Promise<DialOutcome>;
	hangup(provider_id: string): Promise<HangupOutcome>;
	lookup(leg_id: string, provider_id: string | null): Promise<LookupOutcome>;
	/** Verifies that the provider sent it, and translates. An instruction request is a fact, too: that a leg answered, or accepted. */
	receive(request: ProviderRequest): Promise<Received>;
	/** `path`: where the leg asked, and asks again. */
	render(instruction: Instruction, context: { readonly call_id: string; readonly path: string }): Rendered;
};
