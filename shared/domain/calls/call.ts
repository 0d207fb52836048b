import { callOwner, leadOwner, memberOwner } from '../kernel/phone-number.ts';
import type { Language } from '../workspaces/language.ts';
import { ringableMembers } from '../workspaces/silenced-members.ts';
import { isOn, type RingOrder, type RingStrategy, type Workspace } from '../workspaces/workspace.ts';
import { isLive, type Leg, newLeg } from './leg.ts';

/**
 * `completed`, `failed` and `canceled` are final. A call may skip `ringing` and `connected`, but it never returns to an
 * earlier status.
 */
export const callStatuses = ['requested', 'ringing', 'connected', 'completed', 'failed', 'canceled'] as const;
export type CallStatus = (typeof callStatuses)[number];

export const failureReasons = [
	'no_agent_answer',
	'no_agent_callable',
	'visitor_no_answer',
	'visitor_busy',
	'visitor_rejected',
	'voicemail',
	'number_unreachable',
	'agent_left',
	'setup_timeout',
	'provider_error',
	'provider_rejected',
	'canceled',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** Who is rung, and in which order. This plan is fixed when the call is created. */
export type RingPlan = {
	readonly strategy: RingStrategy;
	readonly order: RingOrder;
	/** The ids of team members, in the order in which they are tried. */
	readonly members: readonly string[];
};

/**
 * A visitor's request to be connected now, with everything known about it. Responses of the API contain `reference` and the
 * fields above `language`. The table stores a call as a `CallRecord`.
 */
export type Call = {
	readonly id: string;
	readonly workspace_id: string;
	readonly status: CallStatus;
	readonly visitor_phone_masked: string;
	readonly source_url: string;
	readonly connected_at: string | null;
	readonly completed_at: string | null;
	/**
	 * The whole seconds for which both people spoke. Null until the call has ended, 0 if the two people were never
	 * connected.
	 */
	readonly duration_seconds: number | null;
	readonly created_at: string;
	readonly failure_reason: FailureReason | null;

	/** The language of the sentences that are spoken on the phone: the workspace's language when the call was created. */
	readonly language: Language;
	readonly visitor_name: string | null;
	/**
	 * What the call is about, in the words of the page on which the visitor requested the call. Absent if the page gave no
	 * reference. Absent fields, instead of null, keep the record smaller than a KiB.
	 */
	readonly reference?: string;
	/** The keyed hash of the visitor's number. Absent once the person's data was erased. */
	readonly number_hash?: string;
	/** If this call answers a lead: the lead's id. The visitor's number is stored with the lead, not with this call. */
	readonly lead_id?: string;
	/**
	 * If this call answers a missed call: the id of the missed call. The visitor's number is stored with the missed call,
	 * not with this call.
	 */
	readonly calls_back?: string;
	/**
	 * True if this is a test call that an owner of the desk has started. The plan names one member, whose phone rings twice:
	 * first as the member's phone, then as the visitor's phone. No visitor takes part, so no figure, event, notice or
	 * response of the API includes a test call.
	 */
	readonly is_test?: true;
	/**
	 * Until this time, the team may call the visitor back once if no member takes the call. Absent if the visitor did not
	 * agree to a call back.
	 */
	readonly call_back_until?: string;
	readonly plan: RingPlan;
	/** The workspace's caller number when the call was created. If it is absent, phones show the deployment's number. */
	readonly caller_number?: string;
	readonly legs: readonly Leg[];
	/** The agent leg that accepted first and is connected to the visitor. */
	readonly winner_leg_id: string | null;
};

export function isTerminal(status: CallStatus): boolean {
	return status === 'completed' || status === 'failed' || status === 'canceled';
}

/**
 * The reasons that mean that no member took the call: no member answered, or the workspace's rules allow no member's phone
 * to ring.
 */
export const missedReasons = ['no_agent_answer', 'no_agent_callable'] as const satisfies readonly FailureReason[];
export type MissedReason = (typeof missedReasons)[number];

export const missedReasonOf = ({ failure_reason }: Pick<Call, 'failure_reason'>): MissedReason | null =>
	missedReasons.find((each) => each === failure_reason) ?? null;

/**
 * Whether a visitor requested this call and no member took it. A test call does not count, nor does a call with which the team
 * calls a visitor back.
 */
export const isMissed = (call: Pick<Call, 'failure_reason' | 'lead_id' | 'calls_back' | 'is_test'>): boolean =>
	missedReasonOf(call) !== null && call.lead_id === undefined && call.calls_back === undefined && !call.is_test;

/** The member whose phone a leg rings. Null if the leg rings a visitor's phone. */
export const memberRungBy = ({ is_test, plan }: Pick<Call, 'is_test' | 'plan'>, { member }: Pick<Leg, 'member'>) =>
	member ?? (is_test ? plan.members[0] : null) ?? null;

/**
 * The owner under which the number that a leg rings is stored: the team member or, for the visitor's number, the call. If
 * the call is a call back, the visitor's number is stored with the lead or the missed call.
 */
export function numberOwnerOf(
	call: Pick<Call, 'id' | 'workspace_id' | 'lead_id' | 'calls_back' | 'is_test' | 'plan'>,
	leg: Pick<Leg, 'member'>,
): string {
	const member = memberRungBy(call, leg);
	if (member !== null) return memberOwner(call.workspace_id, member);
	return call.lead_id === undefined ? callOwner(call.calls_back ?? call.id) : leadOwner(call.lead_id);
}

/**
 * The plan of a new call: the members who are switched on and whose phones may ring. In a round robin, the first member
 * differs from call to call.
 */
export function ringPlan(workspace: Workspace, callId: string, nowMs: number): RingPlan {
	const members = ringableMembers(workspace)
		.filter((member) => isOn(member, nowMs))
		.map(({ id }) => id);
	const start = workspace.ring_strategy === 'round_robin' ? rotation(callId, members.length) : 0;
	return {
		strategy: workspace.ring_strategy,
		order: workspace.ring_order,
		members: [...members.slice(start), ...members.slice(0, start)],
	};
}

/**
 * The position of the member who is tried first. All positions are equally likely, because the last characters of a ULID
 * are random.
 */
function rotation(callId: string, members: number): number {
	const hash = [...callId.slice(-8)].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 65_521, 0);
	return members === 0 ? 0 : hash % members;
}

export const agentLegs = (call: Call): readonly Leg[] => call.legs.filter(({ role }) => role === 'agent');
export const visitorLeg = (call: Pick<Call, 'legs'>): Leg | null =>
	call.legs.find(({ role }) => role === 'visitor') ?? null;
export const winnerLeg = ({ legs, winner_leg_id }: Pick<Call, 'legs' | 'winner_leg_id'>): Leg | null =>
	legs.find(({ id }) => id === winner_leg_id) ?? null;

function membersToTry(call: Call): readonly string[] {
	const rungMembers = new Set(agentLegs(call).map(({ member }) => member));
	return call.plan.members.filter((member) => !rungMembers.has(member));
}

function nextAgents(call: Call, nowMs: number): readonly Leg[] {
	if (call.winner_leg_id !== null || agentLegs(call).some(isLive)) return [];
	const members = call.plan.strategy === 'simultaneous' ? membersToTry(call) : membersToTry(call).slice(0, 1);
	return members.map((member) => newLeg(call.id, 'agent', member, nowMs));
}

/**
 * The legs to create next, if any. `agent_first`: ring the team, and ring the visitor only after a member has accepted.
 * `visitor_first`: ring the team after the visitor has answered. No member is tried twice.
 */
export function nextLegs(call: Call, nowMs: number): readonly Leg[] {
	const visitor = visitorLeg(call);
	if (call.plan.order === 'visitor_first') {
		if (visitor === null) return [newLeg(call.id, 'visitor', null, nowMs)];
		return isLive(visitor) && visitor.answered_at !== null ? nextAgents(call, nowMs) : [];
	}
	const winner = winnerLeg(call);
	if (winner === null) return nextAgents(call, nowMs);
	return visitor === null && isLive(winner) ? [newLeg(call.id, 'visitor', null, nowMs)] : [];
}

/** The live legs to release: the call has ended, the other side of the call has gone, or another member has accepted. */
export function idleLegs(call: Call): readonly Leg[] {
	const live = call.legs.filter(isLive);
	if (isTerminal(call.status)) return live;
	const visitor = visitorLeg(call);
	const winner = winnerLeg(call);
	const visitorOver = visitor !== null && !isLive(visitor);
	const teamOver = winner === null ? noAgentLeft(call) : !isLive(winner);
	return live.filter((leg) => {
		if (leg.role === 'visitor') return teamOver;
		return visitorOver || (winner !== null && leg.id !== winner.id);
	});
}

function noAgentLeft(call: Call): boolean {
	return membersToTry(call).length === 0 && !agentLegs(call).some(isLive);
}
