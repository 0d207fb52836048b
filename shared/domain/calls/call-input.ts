import { standIn } from '../kernel/id.ts';
import type { Call } from './call.ts';
import { type Now, stillRings } from './deadlines.ts';
import { dropLeg, endLeg, giveUpLeg, isLive, type Leg, type LegFact, learn } from './leg.ts';

/**
 * The provider's answer to a question about a leg. `missing`: the provider does not know the leg, but may know it later.
 * `unclear`: the provider gave no usable answer.
 */
export type LegLookUp = { readonly leg_id: string; readonly answer: LegFact | 'missing' | 'unclear' };

/** The member whose phone a leg rings, in the form that the leg stores. */
export type RungMember = Required<Pick<Leg, 'member_name' | 'phone'>>;

export type LegInput =
	| { readonly input: 'leg_fact'; readonly leg_id: string; readonly fact: LegFact }
	/** The dial job claims the leg. A claimed leg is never dialed again, unless the provider throttled the dial. */
	| { readonly input: 'dialing'; readonly leg_id: string; readonly member?: RungMember }
	/** The leg must ring no phone. `code` says why. */
	| { readonly input: 'dial_dropped'; readonly leg_id: string; readonly code: string }
	| { readonly input: 'dial_accepted'; readonly leg_id: string; readonly provider_id: string }
	| {
			readonly input: 'dial_rejected';
			readonly leg_id: string;
			readonly cause: 'provider_rejected' | 'unreachable';
			/** The provider's error code. Null if the provider gave no code. */
			readonly code: string | null;
	  }
	| { readonly input: 'dial_throttled'; readonly leg_id: string; readonly retry_after_seconds: number };

export type CallInput =
	| LegInput
	| { readonly input: 'cancel' }
	/**
	 * Time has passed: do what is due. `look_ups` contains the provider's answers about legs that the provider had not
	 * reported on for some time.
	 */
	| { readonly input: 'time'; readonly look_ups: readonly LegLookUp[] };

export function changeLeg(call: Call, legId: string, change: (leg: Leg) => Leg): Call {
	return { ...call, legs: call.legs.map((leg) => (leg.id === legId ? change(leg) : leg)) };
}

/** Applies an input to a leg. This does not change the status of the call, which is derived from the legs afterwards. */
export function applyToLeg(call: Call, input: LegInput, now: string): Call {
	return changeLeg(call, input.leg_id, (leg) => {
		switch (input.input) {
			case 'leg_fact':
				return afterFact(leg, input.fact, now);
			case 'dialing':
				return { ...leg, ...input.member, rank: 'dialing', dialed_at: now, throttled_until: null, heard_at: null };
			case 'dial_dropped':
				return dropLeg(leg, input.code, now);
			case 'dial_accepted':
				if (leg.freed_id === input.provider_id) return leg;
				return { ...leg, provider_id: leg.provider_id ?? input.provider_id };
			case 'dial_rejected':
				return afterRefusal(leg, input, now);
			case 'dial_throttled':
				return afterThrottling(leg, input.retry_after_seconds, now);
		}
	});
}

/** How long to wait if the provider had no free channel. By then, another call may have freed a channel. */
const NO_CHANNEL_SECONDS = 2;

/**
 * Applies a provider's report to a leg. If the provider had no channel, the dial counts as throttled and is repeated,
 * unless the phone has rung or the leg is no longer needed.
 */
function afterFact(leg: Leg, fact: LegFact, now: string): Leg {
	const { provider_id } = fact;
	const isDialing = leg.rank === 'dialing' && leg.throttled_until === null && leg.hangup_requested_at === null;
	if (!fact.no_channel || !isDialing || provider_id === null || provider_id === leg.freed_id)
		return learn(leg, fact, now);
	return { ...afterThrottling(leg, NO_CHANNEL_SECONDS, now), provider_id: null, freed_id: provider_id };
}

function afterRefusal(leg: Leg, { cause, code }: Extract<LegInput, { input: 'dial_rejected' }>, now: string): Leg {
	const over = endLeg(leg, cause, now);
	return code === null || over === leg ? over : { ...over, refused_code: code };
}

function afterThrottling(leg: Leg, seconds: number, now: string): Leg {
	if (leg.rank !== 'dialing') return leg;
	return { ...leg, throttled_until: new Date(Date.parse(now) + seconds * 1000).toISOString() };
}

/** The call after the provider has answered questions about its legs. */
export function applyLookUps(call: Call, legs: readonly LegLookUp[], moment: Now): Call {
	return legs.reduce(
		(after, { leg_id, answer }) => changeLeg(after, leg_id, (leg) => afterLookUp(leg, answer, moment)),
		call,
	);
}

/**
 * If the provider does not know a leg, the leg is given up only after its phone can no longer ring, because Telnyx's
 * look-up is eventually consistent and may miss a call that was just placed.
 */
function afterLookUp(leg: Leg, answer: LegLookUp['answer'], moment: Now): Leg {
	const now = new Date(moment.now_ms).toISOString();
	if (answer === 'missing' && !stillRings(leg, moment)) return giveUpLeg(leg, 'provider_error', now);
	const after = typeof answer === 'string' ? leg : learn(leg, answer, now);
	// Each answer counts as a report, even if it says nothing new. A leg that is being hung up is the exception: the time of
	// its last report stays, so that the leg stays due and the hang-up is repeated.
	return isLive(after) && leg.hangup_requested_at === null ? { ...after, heard_at: now } : after;
}

/**
 * Whether the dial job may claim the leg: its hang-up was not requested, and it was either never dialed, or throttled and
 * the wait is over.
 */
export function mayDial(leg: Leg, nowMs: number): boolean {
	if (leg.hangup_requested_at !== null) return false;
	if (leg.rank === 'created') return true;
	return leg.rank === 'dialing' && leg.throttled_until !== null && Date.parse(leg.throttled_until) <= nowMs;
}

/**
 * Whether another member of this call has the same phone and the dial job has claimed that member's leg. In one call, no
 * phone rings for two members.
 */
export function isRungAlready({ legs }: Call, { id }: Leg, { phone }: RungMember): boolean {
	return legs.some((leg) => leg.id !== id && leg.phone === phone);
}

/**
 * A provider's report as the log shows it, in `detail`. The report repeats the times of earlier reports. The text leaves
 * them out, because each earlier report has its own line in the log.
 */
export function detailOf({ provider_id, at, rank, cause }: LegFact): string {
	const fields = new URLSearchParams(provider_id === null ? {} : { provider_id: standIn(provider_id) });
	for (const [name, value] of Object.entries({ at, rank, cause })) if (value !== null) fields.set(name, value);
	return asDetail(fields);
}

/**
 * The fields as one text. The text is like a query string, but easier to read, because the colons of times are not escaped.
 */
export const asDetail = (detail: URLSearchParams): string => detail.toString().replaceAll('%3A', ':');
