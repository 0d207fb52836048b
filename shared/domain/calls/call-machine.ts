import { definedFields } from '../kernel/defined-fields.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { type Call, type FailureReason, idleLegs, isTerminal, nextLegs, type RingPlan, ringPlan } from './call.ts';
import {
	aggregate,
	type CallEvent,
	type Conversation,
	conversationOf,
	eventsBetween,
	failureReason,
	isLater,
	lastEnd,
	later,
} from './call-aggregation.ts';
import { applyLookUps, applyToLeg, type CallInput, changeLeg, type LegLookUp } from './call-input.ts';
import { DEADLINE_SECONDS, type Deadline, deadlinesOf, type Now } from './deadlines.ts';
import { giveUpLeg, isUndialed, type Leg, releaseLeg } from './leg.ts';

export type Decision = {
	readonly call: Call;
	readonly events: readonly CallEvent[];
	readonly dial: readonly Leg[];
	readonly hang_up: readonly Leg[];
};

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

/**
 * Decides what follows from an input. A pure function: clock and speed are arguments, and ids are derived from the call.
 */
export function decide(call: Call, input: CallInput, moment: Now): Decision {
	const now = iso(moment.now_ms);
	switch (input.input) {
		case 'cancel':
			return alignWithLegs(call, afterCancel(call, now), moment);
		case 'time':
			return passTime(call, input.look_ups, moment);
		case 'leg_fact':
		case 'dialing':
		case 'dial_dropped':
		case 'dial_accepted':
		case 'dial_rejected':
		case 'dial_throttled':
			return alignWithLegs(call, applyToLeg(call, input, now), moment);
	}
}

/**
 * Cancels a call. A call that was not connected becomes canceled. A connected call becomes completed, with the duration of
 * the conversation so far.
 */
function afterCancel(call: Call, now: string): Call {
	// The status decides, and not the legs: a late report may show that the two people were never connected, but a call never
	// goes back from `connected`.
	return call.status === 'connected' ? endNow(call, now) : endUnconnected(call, 'canceled', now, 'canceled');
}

function endNow(call: Call, now: string): Call {
	const conversation = conversationOf(call);
	if (conversation !== null) return endConnected(call, conversation, now);
	return endUnconnected(call, 'failed', lastEnd(call) ?? now, failureReason(call));
}

/**
 * Ends a call in which two people were connected: at the end of the conversation or, if the conversation still lasts, now.
 */
function endConnected(call: Call, { joined_at, ended_at }: Conversation, now: string): Call {
	// Clocks may differ, and a clock may be set to another time. So the stored end is never before the beginning of the
	// conversation, and the stored conversation is never longer than a provider lets a leg last.
	const endedMs = Date.parse(later(joined_at, ended_at ?? now));
	const joinedMs = Date.parse(joined_at);
	const duration_seconds = Math.min(Math.floor((endedMs - joinedMs) / 1000), DEADLINE_SECONDS.leg);
	const completed_at = iso(Math.min(endedMs, joinedMs + DEADLINE_SECONDS.leg * 1000));
	return { ...call, status: 'completed', connected_at: joined_at, completed_at, duration_seconds };
}

function endUnconnected(call: Call, status: 'failed' | 'canceled', at: string, failure_reason: FailureReason): Call {
	if (isTerminal(call.status)) return call;
	const completed_at = later(call.created_at, at);
	return { ...call, status, connected_at: null, completed_at, duration_seconds: 0, failure_reason };
}

/**
 * Applies the provider's answers, then does everything that is due, in the order of time. All of this is one change of the
 * call.
 */
function passTime(before: Call, lookUps: readonly LegLookUp[], moment: Now): Decision {
	const now = iso(moment.now_ms);
	const answers = alignWithLegs(before, applyLookUps(before, lookUps, moment), moment);
	const due = deadlinesOf(answers.call, moment.speed).filter(({ at_ms }) => at_ms <= moment.now_ms);
	const after = due.reduce((call, deadline) => pass(call, deadline, now), answers.call);
	const again = new Set(due.flatMap((each) => ('leg_id' in each ? [each.leg_id] : [])));
	const consequences = alignWithLegs(answers.call, after, moment, again);
	return {
		call: consequences.call,
		events: [...answers.events, ...consequences.events],
		dial: [...answers.dial, ...consequences.dial],
		hang_up: [...answers.hang_up, ...consequences.hang_up],
	};
}

function pass(call: Call, deadline: Deadline, now: string): Call {
	switch (deadline.due) {
		case 'end_leg':
			return changeLeg(call, deadline.leg_id, (leg) => giveUpLeg(leg, deadline.cause, now));
		case 'ask_again':
			return changeLeg(call, deadline.leg_id, (leg) => ({ ...leg, heard_at: now }));
		case 'set_up_over':
			return endUnconnected(call, 'failed', now, 'setup_timeout');
		case 'unheard_end':
		case 'conversation_over':
			return endNow(call, now);
		case 'look_up':
			return call;
	}
}

/**
 * Brings the call in line with its legs: sets the winner, adds the next legs, releases legs that are no longer needed, and
 * derives the status and the events. `again` names legs whose messages may be lost; these messages are sent again.
 */
function alignWithLegs(before: Call, after: Call, moment: Now, again: ReadonlySet<string> = new Set()): Decision {
	const aligned = withStatus(withLegs(after, moment), moment);
	const call = withStatus(withoutIdle(aligned, moment), moment);
	return {
		call,
		events: eventsBetween(before, call),
		dial: call.legs.filter((leg) => toDial(leg, before, again)),
		hang_up: call.legs.filter((leg) => toHangUp(leg, before, again)),
	};
}

const earlierOf = (leg: Leg, call: Call): Leg | null => call.legs.find(({ id }) => id === leg.id) ?? null;

/**
 * Whether to send a dial message for the leg: the leg is new, its dial was throttled, or the earlier message may be lost.
 */
function toDial(leg: Leg, before: Call, again: ReadonlySet<string>): boolean {
	if (!isUndialed(leg)) return false;
	const earlier = earlierOf(leg, before);
	return again.has(leg.id) || earlier === null || earlier.throttled_until !== leg.throttled_until;
}

/**
 * Whether to send a hang-up message for the leg: the hang-up is new, the leg's id at the provider has just become known, or
 * the earlier hang-up had no effect.
 */
function toHangUp(leg: Leg, before: Call, again: ReadonlySet<string>): boolean {
	if (leg.hangup_requested_at === null || leg.provider_id === null) return false;
	const earlier = earlierOf(leg, before);
	return again.has(leg.id) || earlier === null || earlier.hangup_requested_at === null || earlier.provider_id === null;
}

function withLegs(call: Call, { now_ms }: Now): Call {
	if (isTerminal(call.status)) return call;
	const acceptedLeg = call.legs.find((leg) => leg.role === 'agent' && leg.accepted_at !== null);
	const withWinner = { ...call, winner_leg_id: call.winner_leg_id ?? acceptedLeg?.id ?? null };
	return { ...withWinner, legs: [...withWinner.legs, ...nextLegs(withWinner, now_ms)] };
}

function withoutIdle(call: Call, { now_ms }: Now): Call {
	const idle = new Set(idleLegs(call).map(({ id }) => id));
	return { ...call, legs: call.legs.map((leg) => (idle.has(leg.id) ? releaseLeg(leg, iso(now_ms)) : leg)) };
}

function withStatus(call: Call, { now_ms }: Now): Call {
	const now = aggregate(call, now_ms);
	if (!isLater(now.status, call.status)) return call;
	switch (now.status) {
		case 'requested':
		case 'ringing':
			return { ...call, status: now.status };
		case 'connected':
			return { ...call, status: now.status, connected_at: now.conversation.joined_at };
		case 'completed':
			return endConnected(call, now.conversation, iso(now_ms));
		case 'failed':
			return endUnconnected(call, 'failed', now.ended_at, now.reason);
	}
}

export type NewCall = {
	readonly id: string;
	readonly workspace: Workspace;
	readonly visitor_phone_masked: string;
	readonly visitor_name: string | null;
	readonly source_url: string;
	readonly reference?: string | null;
	readonly number_hash?: string;
	/** Replaces the workspace's plan. */
	readonly plan?: RingPlan;
	/** The lead that this call answers. The visitor's number is stored with the lead. */
	readonly lead_id?: string;
	/** The missed call that this call answers. The visitor's number is stored with the missed call. */
	readonly calls_back?: string;
	readonly call_back_until?: string;
	readonly is_test?: true;
};

/** Creates a new call, with its first legs and its first event. A test call has no event. */
export function newCall(request: NewCall, moment: Now): Decision {
	const { reference, number_hash, lead_id, calls_back, call_back_until, is_test, workspace } = request;
	const { caller_number } = workspace;
	const blank: Call = {
		id: request.id,
		workspace_id: workspace.id,
		status: 'requested',
		visitor_phone_masked: request.visitor_phone_masked,
		source_url: request.source_url,
		connected_at: null,
		completed_at: null,
		duration_seconds: null,
		created_at: iso(moment.now_ms),
		failure_reason: null,
		language: workspace.language,
		visitor_name: request.visitor_name,
		plan: request.plan ?? ringPlan(workspace, request.id, moment.now_ms),
		legs: [],
		winner_leg_id: null,
		...definedFields({
			reference: reference ?? undefined,
			caller_number: caller_number ?? undefined,
			number_hash,
			lead_id,
			calls_back,
			call_back_until,
			is_test,
		}),
	};
	const decision = alignWithLegs(blank, blank, moment);
	const { id, workspace_id, status, duration_seconds } = decision.call;
	const event: CallEvent = { kind: 'call.requested', data: { id, workspace_id, status, duration_seconds } };
	return { ...decision, events: is_test ? [] : [event] };
}
