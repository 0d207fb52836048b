import type { Call } from './call.ts';
import { ended, givenUp, isLive, type Leg, type LegFact, learn } from './leg.ts';

/** What the provider answered when it was asked about a leg. `missing`: it knows none; `unclear`: it could not say. */
export type LookedUp = { readonly leg_id: string; readonly found: LegFact | 'missing' | 'unclear' };

/** What can happen to a leg. */
export type LegInput =
	| { readonly input: 'leg_fact'; readonly leg_id: string; readonly fact: LegFact }
	/** The dial job takes the leg; from here on it is never dialled again (but for a throttled dial). */
	| { readonly input: 'dialing'; readonly leg_id: string }
	| { readonly input: 'dial_accepted'; readonly leg_id: string; readonly provider_id: string }
	| {
			readonly input: 'dial_rejected';
			readonly leg_id: string;
			readonly cause: 'provider_rejected' | 'unreachable';
			/** The provider's own code; null where there is none. */
			readonly code: string | null;
	  }
	| { readonly input: 'dial_throttled'; readonly leg_id: string; readonly retry_after_seconds: number };

/** What can happen to a call. */
export type CallInput =
	| LegInput
	| { readonly input: 'cancel' }
	/** Time has passed: see what is due, after what the provider answered about silent legs. */
	| { readonly input: 'time'; readonly looked_up: readonly LookedUp[] };

export function changeLeg(call: Call, leg_id: string, change: (leg: Leg) => Leg): Call {
	return { ...call, legs: call.legs.map((leg) => (leg.id === leg_id ? change(leg) : leg)) };
}

/** The legs after the input; what it means for the call is decided from them alone. */
export function applyToLeg(call: Call, input: LegInput, now: string): Call {
	return changeLeg(call, input.leg_id, (leg) => {
		switch (input.input) {
			case 'leg_fact':
				return learn(leg, input.fact, now);
			case 'dialing':
				return { ...leg, rank: 'dialing', dialed_at: now, throttled_until: null, heard_at: null };
			case 'dial_accepted':
				return { ...leg, provider_id: leg.provider_id ?? input.provider_id };
			case 'dial_rejected':
				return refused(leg, input, now);
			case 'dial_throttled':
				return throttled(leg, input.retry_after_seconds, now);
		}
	});
}

function refused(leg: Leg, { cause, code }: Extract<LegInput, { input: 'dial_rejected' }>, now: string): Leg {
	const over = ended(leg, cause, now);
	return code === null || over === leg ? over : { ...over, refused_code: code };
}

/** Waits and may be dialled again, unless it is not wanted any more: then it is over, for no provider has it. */
function throttled(leg: Leg, seconds: number, now: string): Leg {
	if (leg.rank !== 'dialing') return leg;
	if (leg.hangup_requested_at !== null) return ended(leg, 'hung_up', now);
	return { ...leg, throttled_until: new Date(Date.parse(now) + seconds * 1000).toISOString() };
}

/** The legs after the provider was asked about them: an answer counts as heard, even if it says nothing new. */
export function applyLookedUp(call: Call, legs: readonly LookedUp[], now: string): Call {
	return legs.reduce((after, { leg_id, found }) => changeLeg(after, leg_id, (leg) => lookedUp(leg, found, now)), call);
}

function lookedUp(leg: Leg, found: LookedUp['found'], now: string): Leg {
	if (found === 'missing') return givenUp(leg, 'provider_error', now);
	const told = found === 'unclear' ? leg : learn(leg, found, now);
	// A leg that is being hung up stays due, so that the hang-up is asked for again.
	return isLive(told) && leg.hangup_requested_at === null ? { ...told, heard_at: now } : told;
}

/** Whether the dial job may take the leg: never dialled, or throttled and the wait is over. */
export function mayDial(leg: Leg, now_ms: number): boolean {
	if (leg.hangup_requested_at !== null) return false;
	if (leg.rank === 'created') return true;
	return leg.rank === 'dialing' && leg.throttled_until !== null && Date.parse(leg.throttled_until) <= now_ms;
}
