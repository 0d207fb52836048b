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
	/** The last time the provider said anything about it. */
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
