import type { Call } from './call.ts';
import { ended, isLive, type Leg, type LegFact, learn } from './leg.ts';

/** What can happen to a leg. */
export type LegInput =
	| { readonly input: 'leg_fact'; readonly leg_id: string; readonly fact: LegFact }
	/** The dial job takes the leg; from here on it is never dialled again (but for a throttled dial). */
	| { readonly input: 'dialing'; readonly leg_id: string }
	| { readonly input: 'dial_accepted'; readonly leg_id: string; readonly provider_id: string }
	| { readonly input: 'dial_rejected'; readonly leg_id: string; readonly cause: 'provider_rejected' | 'unreachable' }
	| { readonly input: 'dial_throttled'; readonly leg_id: string; readonly retry_after_seconds: number }
	/** The provider knows no such leg, or could not say. */
	| { readonly input: 'not_found'; readonly leg_id: string }
	| { readonly input: 'unsaid'; readonly leg_id: string };

/** What can happen to a call. */
export type CallInput =
	| LegInput
	| { readonly input: 'cancel' }
	/** Time has passed: see what is due. */
	| { readonly input: 'time' };

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
				return { ...leg, rank: 'dialing', dialed_at: now, throttled_until: null };
			case 'dial_accepted':
				return { ...leg, provider_id: leg.provider_id ?? input.provider_id };
			case 'dial_rejected':
				return ended(leg, input.cause, now);
			case 'dial_throttled': {
				const until = new Date(Date.parse(now) + input.retry_after_seconds * 1000).toISOString();
				return isLive(leg) ? { ...leg, throttled_until: until } : leg;
			}
			case 'not_found':
				return ended(leg, 'provider_error', now);
			case 'unsaid':
				return { ...leg, heard_at: now };
		}
	});
}

/** Whether the dial job may take the leg: never dialled, or throttled and the wait is over. */
export function mayDial(leg: Leg, now_ms: number): boolean {
	if (leg.hangup_requested_at !== null) return false;
	if (leg.rank === 'created') return true;
	return leg.rank === 'dialing' && leg.throttled_until !== null && Date.parse(leg.throttled_until) <= now_ms;
}
