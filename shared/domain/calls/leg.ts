import { derivedId } from '../kernel/id.ts';

export type LegRole = 'agent' | 'visitor';

/** In ascending order. The rank of a leg is the highest rank that the leg is known to have reached. */
export const legRanks = ['created', 'dialing', 'ringing', 'answered', 'accepted', 'ended'] as const;
export type LegRank = (typeof legRanks)[number];

/** Why a leg ended. `hung_up`: we ended the leg. `completed`: the person ended the leg after answering. */
export const endCauses = [
	'completed',
	'busy',
	'no_answer',
	'rejected',
	'voicemail',
	'unreachable',
	'hung_up',
	'provider_error',
	'provider_rejected',
] as const;
export type EndCause = (typeof endCauses)[number];

/**
 * One telephone connection of a call (the specification's "internal branch"). A leg is never shown outside the service.
 * What is known about a leg only grows: ranks rise, and `ended` is final.
 */
export type Leg = {
	readonly id: string;
	readonly role: LegRole;
	/** The team member's id. Null for the visitor's leg. */
	readonly member: string | null;
	/**
	 * Who was rung: the member's name or, if the member has no name, the masked number. The dial job stores it with the leg,
	 * so that it stays even if the team changes.
	 */
	readonly member_name?: string;
	/** The beginning of the keyed hash of the member's number when the dial job last claimed the leg. */
	readonly phone?: string;
	readonly rank: LegRank;
	/** The provider's own id of this leg, once it is known. This id never leaves the service. */
	readonly provider_id: string | null;
	readonly created_at: string;
	readonly dialed_at: string | null;
	readonly ringing_at: string | null;
	readonly answered_at: string | null;
	/** When the team member pressed 1. Only for legs of members. */
	readonly accepted_at: string | null;
	readonly ended_at: string | null;
	/** Set when `rank` is `ended`. */
	readonly cause: EndCause | null;
	/** When we asked the provider to end the leg. The request is repeated until the provider reports the end. */
	readonly hangup_requested_at: string | null;
	/** The provider throttled the dial, so no phone was rung. The dial may be retried from this time on. */
	readonly throttled_until: string | null;
	/**
	 * The provider accepted a dial under this id, but then had no free channel, so no phone rang. Later reports with this id
	 * are ignored.
	 */
	readonly freed_id?: string;
	/** Why no phone was rung: the provider's own code for its refusal, or a code of ours. */
	readonly refused_code?: string;
	/**
	 * When the provider last reported something new about the leg, or when we last asked about the leg. This time is by our
	 * clock.
	 */
	readonly heard_at: string | null;
};

/**
 * A provider's report on a leg, in our terms. A report contains every fact that the provider knows at that time, so that a
 * lost earlier report does no harm. For example, `ended` includes when the leg was answered and accepted.
 */
export type LegFact = {
	readonly provider_id: string | null;
	readonly rank: Exclude<LegRank, 'created'>;
	/** When the leg reached `rank`, by the provider's clock. */
	readonly at: string;
	readonly ringing_at: string | null;
	readonly answered_at: string | null;
	readonly accepted_at: string | null;
	readonly cause: EndCause | null;
	/** True if the leg ended because the provider had no free channel for it. The leg's phone has not rung. */
	readonly no_channel?: true;
};

/** Creates a leg to dial. Its id is derived from the call, so that repeating a decision creates the same leg. */
export function newLeg(callId: string, role: LegRole, member: string | null, nowMs: number): Leg {
	return {
		id: derivedId(nowMs, callId, role, String(member)),
		role,
		member,
		rank: 'created',
		provider_id: null,
		created_at: new Date(nowMs).toISOString(),
		dialed_at: null,
		ringing_at: null,
		answered_at: null,
		accepted_at: null,
		ended_at: null,
		cause: null,
		hangup_requested_at: null,
		throttled_until: null,
		heard_at: null,
	};
}

export function isLive(leg: Leg): boolean {
	return leg.rank !== 'ended';
}

/** Whether the provider does not have the leg, because it was not dialed yet or its dial was throttled. */
export function isUndialed(leg: Leg): boolean {
	return leg.rank === 'created' || leg.throttled_until !== null;
}

/** Whether the phone has rung, whatever happened afterwards. */
export function hasRung(leg: Leg): boolean {
	return leg.ringing_at !== null || leg.answered_at !== null || leg.accepted_at !== null;
}

/**
 * Whether a report that was sent to this leg's callback URL is about this leg. A report with another `provider_id` is about
 * another connection.
 */
export function isReportOn(leg: Leg, providerId: string | null): boolean {
	return leg.provider_id === null || providerId === null || leg.provider_id === providerId;
}

function higher(a: LegRank, b: LegRank): LegRank {
	return legRanks.indexOf(a) >= legRanks.indexOf(b) ? a : b;
}

function earliest(...times: readonly (string | null)[]): string | null {
	return times.filter((time) => time !== null).sort()[0] ?? null;
}

/**
 * Adds a fact to a leg. The highest rank, the earliest times and the first end are kept, so the order of facts and their
 * repetition make no difference. Of two ends in the same second, the end with the more specific cause is kept. If the fact
 * says nothing new, the same object is returned.
 */
export function learn(leg: Leg, fact: LegFact, heard_at: string): Leg {
	if (leg.freed_id !== undefined && leg.freed_id === fact.provider_id) return leg;
	const after = withFact(leg, fact);
	return JSON.stringify(after) === JSON.stringify(leg) ? leg : { ...after, heard_at };
}

function withFact(leg: Leg, fact: LegFact): Leg {
	const at = (rank: LegRank) => (fact.rank === rank ? fact.at : null);
	const endsEarlier = fact.rank === 'ended' && isEarlierEnd(fact, leg);
	return {
		...leg,
		provider_id: leg.provider_id ?? fact.provider_id,
		rank: higher(leg.rank, fact.rank),
		ringing_at: earliest(leg.ringing_at, fact.ringing_at, at('ringing')),
		answered_at: earliest(leg.answered_at, fact.answered_at, at('answered')),
		accepted_at: earliest(leg.accepted_at, fact.accepted_at, at('accepted')),
		ended_at: endsEarlier ? fact.at : leg.ended_at,
		cause: endsEarlier ? (fact.cause ?? 'completed') : leg.cause,
		throttled_until: null,
	};
}

/** Whether the stored end is our own decision, because the provider has not reported an end. */
export function isJudgedByUs({ hangup_requested_at, ended_at }: Leg): boolean {
	return ended_at !== null && ended_at === hangup_requested_at;
}

/**
 * Providers report times in whole seconds, rounded down. So a reported end may have the same second as our own decision and
 * still be later than our decision.
 */
const WHOLE_SECOND_MS = 1000;

/**
 * Whether a reported end replaces the end that is already stored. If we decided the stored end ourselves when we requested
 * the hang-up, a report with the cause `hung_up` only confirms our decision. A report with any other cause replaces our
 * decision if the reported end is at least a second earlier than the stored end.
 */
function isEarlierEnd(fact: LegFact, leg: Leg): boolean {
	if (leg.ended_at === null) return true;
	if (!isJudgedByUs(leg)) return endOrder(fact) < endOrder(leg);
	return fact.cause !== 'hung_up' && Date.parse(fact.at) <= Date.parse(leg.ended_at) - WHOLE_SECOND_MS;
}

/** Causes, the most specific first. Providers also report `completed` for a phone that was never answered. */
const TELLING: readonly EndCause[] = [
	'voicemail',
	'rejected',
	'busy',
	'unreachable',
	'provider_rejected',
	'no_answer',
	'provider_error',
	'hung_up',
	'completed',
];
const SECOND_CHARS = '2026-11-09T12:00:00'.length;

/** A text by which ends are sorted: the earlier end first, and within a second the end with the more specific cause. */
function endOrder(
	end: { readonly cause: EndCause | null } & ({ readonly at: string } | { readonly ended_at: string | null }),
): string {
	const at = ('at' in end ? end.at : end.ended_at) ?? '';
	return `${at.slice(0, SECOND_CHARS)} ${TELLING.indexOf(end.cause ?? 'completed')} ${at}`;
}

export function endLeg(leg: Leg, cause: EndCause, at: string): Leg {
	return leg.rank === 'ended' ? leg : { ...leg, rank: 'ended', ended_at: at, cause, throttled_until: null };
}

/** Ends a leg that should have been dialed but must ring no phone. */
export function dropLeg(leg: Leg, code: string, at: string): Leg {
	if (!isUndialed(leg) || !isLive(leg)) return leg;
	const { phone: _phone, ...others } = endLeg(leg, 'hung_up', at);
	return { ...others, dialed_at: null, refused_code: code };
}

/** Ends a leg by our own decision. The leg is also hung up, in case the provider still has it. */
export function giveUpLeg(leg: Leg, cause: EndCause, at: string): Leg {
	if (leg.rank === 'ended') return leg;
	const { hangup_requested_at } = leg;
	const over = endLeg(leg, hangup_requested_at === null ? cause : 'hung_up', at);
	return { ...over, hangup_requested_at: hangup_requested_at ?? at };
}

/**
 * Ends a leg that is no longer needed. If the provider does not have the leg, it ends at once. Otherwise its hang-up is
 * requested, and the leg ends when the provider reports the end.
 */
export function releaseLeg(leg: Leg, at: string): Leg {
	return isUndialed(leg) ? endLeg(leg, 'hung_up', at) : { ...leg, hangup_requested_at: leg.hangup_requested_at ?? at };
}
