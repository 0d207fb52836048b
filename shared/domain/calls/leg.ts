import { derivedId } from '../kernel/id.ts';

/**
 * One telephone connection of a call (the specification's "internal branch"). Never exposed.
 * Facts about a leg only ever accumulate: ranks rise, and `ended` is sticky.
 */
export type LegRole = 'agent' | 'visitor';

/** In rising order. A leg's rank is the highest it is known to have reached. */
export const legRanks = ['created', 'dialing', 'ringing', 'answered', 'accepted', 'ended'] as const;
export type LegRank = (typeof legRanks)[number];

/** Why a leg ended. `hung_up`: by us; `completed`: by the person after answering. */
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

export type Leg = {
	readonly id: string;
	readonly role: LegRole;
	/** Which team member (position in the workspace's team); null for the visitor. */
	readonly member: number | null;
	readonly rank: LegRank;
	/** The provider's own id of this leg, once known. Never leaves the service. */
	readonly provider_id: string | null;
	readonly created_at: string;
	readonly dialed_at: string | null;
	readonly ringing_at: string | null;
	readonly answered_at: string | null;
	/** The team member pressed 1 (agents only). */
	readonly accepted_at: string | null;
	readonly ended_at: string | null;
	readonly cause: EndCause | null;
	/** We asked the provider to end it; repeated until the provider says it is over. */
	readonly hangup_requested_at: string | null;
	/** The provider had no room (429) and never processed the dial: it may be tried again from then on. */
	readonly throttled_until: string | null;
	/** Why the provider refused the dial, in its own code. */
	readonly refused_code?: string;
	/** When the provider last said something new of it, or was last asked. By our clock. */
	readonly heard_at: string | null;
};

/**
 * What a provider reported of a leg, translated. Every fact that the provider knows rides along, so a lost earlier
 * callback takes nothing away: `ended` carries the times it was answered and accepted, if it was.
 */
export type LegFact = {
	readonly provider_id: string | null;
	readonly rank: Exclude<LegRank, 'created'>;
	/** When it happened, by the provider's clock. */
	readonly at: string;
	readonly ringing_at: string | null;
	readonly answered_at: string | null;
	readonly accepted_at: string | null;
	/** Set when `rank` is `ended`. */
	readonly cause: EndCause | null;
};

/** A leg that is to be dialled. Its id follows from the call, so deciding twice names the same leg. */
export function newLeg(call_id: string, role: LegRole, member: number | null, now_ms: number): Leg {
	return {
		id: derivedId(now_ms, call_id, role, String(member)),
		role,
		member,
		rank: 'created',
		provider_id: null,
		created_at: new Date(now_ms).toISOString(),
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

/** The phone rang, with any outcome. */
export function hasRung(leg: Leg): boolean {
	return leg.ringing_at !== null || leg.answered_at !== null || leg.accepted_at !== null;
}

/**
 * Whether what a provider says can be of this leg. An address with its MAC (`keyed`) was given out for this leg alone; at a
 * bare one, as legs of older versions have, only the provider's own id of the leg proves it. Another id is another leg.
 */
export function isSaidOf(leg: Leg, said: { readonly provider_id: string | null; readonly keyed: boolean }): boolean {
	if (leg.provider_id === null || said.provider_id === null) return said.keyed;
	return leg.provider_id === said.provider_id;
}

function higher(a: LegRank, b: LegRank): LegRank {
	return legRanks.indexOf(a) >= legRanks.indexOf(b) ? a : b;
}

function earliest(...times: readonly (string | null)[]): string | null {
	return times.filter((time) => time !== null).sort()[0] ?? null;
}

/**
 * What is known of a leg after one more fact. Facts accumulate (highest rank, earliest times, sticky end), so order and
 * repetition make no difference; of two ends the earlier counts. The same leg when the fact says nothing new.
 */
export function learn(leg: Leg, fact: LegFact, heard_at: string): Leg {
	const told = withFact(leg, fact);
	return JSON.stringify(told) === JSON.stringify(leg) ? leg : { ...told, heard_at };
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

/** Whether the leg's end is our own judgement, by our clock, and not the provider's word. */
export function isJudgedByUs({ hangup_requested_at, ended_at }: Leg): boolean {
	return ended_at !== null && ended_at === hangup_requested_at;
}

/** Providers tell whole seconds, rounded down: a report of the very second in which we judged is not older. */
const WHOLE_SECOND_MS = 1000;

/**
 * Whether a reported end counts instead of what is known. Ours was judged when we asked for the hang-up: a report that the
 * leg was hung up only says that it worked, and any other counts if it is at least a second older.
 */
function isEarlierEnd(fact: LegFact, leg: Leg): boolean {
	if (leg.ended_at === null) return true;
	if (!isJudgedByUs(leg)) return endOrder(fact) < endOrder(leg);
	return fact.cause !== 'hung_up' && Date.parse(fact.at) <= Date.parse(leg.ended_at) - WHOLE_SECOND_MS;
}

/** Earlier first; at the same instant any fixed order will do. */
function endOrder(
	end: { readonly cause: EndCause | null } & ({ readonly at: string } | { readonly ended_at: string | null }),
): string {
	return `${'at' in end ? end.at : end.ended_at} ${end.cause}`;
}

/** The end of a leg that rings nowhere: refused, or never dialled. */
export function ended(leg: Leg, cause: EndCause, at: string): Leg {
	return leg.rank === 'ended' ? leg : { ...leg, rank: 'ended', ended_at: at, cause, throttled_until: null };
}

/** The end of a leg by our own judgement. It is hung up in case it lives on. */
export function givenUp(leg: Leg, cause: EndCause, at: string): Leg {
	if (leg.rank === 'ended') return leg;
	const { hangup_requested_at } = leg;
	const over = ended(leg, hangup_requested_at === null ? cause : 'hung_up', at);
	return { ...over, hangup_requested_at: hangup_requested_at ?? at };
}

/** The end of a leg that is no longer needed: at once if no provider has it, else when the provider reports it. */
export function letGo(leg: Leg, at: string): Leg {
	const nowhere = leg.rank === 'created' || leg.throttled_until !== null;
	return nowhere ? ended(leg, 'hung_up', at) : { ...leg, hangup_requested_at: leg.hangup_requested_at ?? at };
}
