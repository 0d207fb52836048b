import { languageOf } from '../workspaces/language.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { type Call, type FailureReason, isTerminal, type RingPlan } from './call.ts';
import {
	aggregate,
	type Conversation,
	conversationOf,
	failureReason,
	isLater,
	lastEnd,
	later,
} from './call-aggregation.ts';
import { announced, type CallEvent } from './call-events.ts';
import { applyLookedUp, applyToLeg, type CallInput, changeLeg, type LookedUp } from './call-input.ts';
import { type Deadline, deadlinesOf, type Moment } from './deadlines.ts';
import { givenUp, isUndialed, type Leg, letGo } from './leg.ts';
import { idleLegs, nextLegs, ringPlan } from './ringing-plan.ts';

/** The result of an input. */
export type Decision = {
	readonly call: Call;
	readonly events: readonly CallEvent[];
	readonly dial: readonly Leg[];
	readonly hang_up: readonly Leg[];
};

const iso = (epoch_ms: number): string => new Date(epoch_ms).toISOString();

/** Decides the result of an input. Pure: clock and speed are arguments, and ids are derived from the call. */
export function decide(call: Call, input: CallInput, moment: Moment): Decision {
	const now = iso(moment.now_ms);
	switch (input.input) {
		case 'cancel':
			return alignWithLegs(call, canceled(call, now), moment);
		case 'time':
			return passTime(call, input.looked_up, moment);
		case 'leg_fact':
		case 'dialing':
		case 'dial_accepted':
		case 'dial_rejected':
		case 'dial_throttled':
			return alignWithLegs(call, applyToLeg(call, input, now), moment);
	}
}

/** Cancel: not connected -> canceled; connected -> completed, with the duration until now. */
function canceled(call: Call, now: string): Call {
	// A late report may show that the two were never connected, but no transition leads back from `connected`.
	return call.status === 'connected' ? endedByNow(call, now) : unjoined(call, 'canceled', now, 'canceled');
}

/** Ends the call, based on what is known now. */
function endedByNow(call: Call, now: string): Call {
	const conversation = conversationOf(call);
	if (conversation !== null) return spoken(call, conversation, now);
	return unjoined(call, 'failed', lastEnd(call) ?? now, failureReason(call));
}

/** Ends a call that connected two people; its end is not later than now. */
function spoken(call: Call, { joined_at, ended_at }: Conversation, now: string): Call {
	// The provider's clock differs from ours: never let a conversation end before it began.
	const completed_at = later(joined_at, ended_at ?? now);
	const duration_seconds = Math.floor((Date.parse(completed_at) - Date.parse(joined_at)) / 1000);
	return { ...call, status: 'completed', connected_at: joined_at, completed_at, duration_seconds };
}

/** Ends a call that was never connected. */
function unjoined(call: Call, status: 'failed' | 'canceled', at: string, failure_reason: FailureReason): Call {
	if (isTerminal(call.status)) return call;
	const completed_at = later(call.created_at, at);
	return { ...call, status, connected_at: null, completed_at, duration_seconds: 0, failure_reason };
}

/** Applies the provider's answers, then does everything that is due, soonest first, as one change of the call. */
function passTime(before: Call, looked_up: readonly LookedUp[], moment: Moment): Decision {
	const now = iso(moment.now_ms);
	const looked = alignWithLegs(before, applyLookedUp(before, looked_up, moment), moment);
	const due = deadlinesOf(looked.call, moment.speed).filter(({ at_ms }) => at_ms <= moment.now_ms);
	const after = due.reduce((changed, deadline) => pass(changed, deadline, now), looked.call);
	const again = new Set(due.flatMap((each) => ('leg_id' in each ? [each.leg_id] : [])));
	const passed = alignWithLegs(looked.call, after, moment, again);
	return {
		call: passed.call,
		events: [...looked.events, ...passed.events],
		dial: [...looked.dial, ...passed.dial],
		hang_up: [...looked.hang_up, ...passed.hang_up],
	};
}

function pass(call: Call, deadline: Deadline, now: string): Call {
	switch (deadline.due) {
		case 'end_leg':
			return changeLeg(call, deadline.leg_id, (leg) => givenUp(leg, deadline.cause, now));
		case 'ask_again':
			return changeLeg(call, deadline.leg_id, (leg) => ({ ...leg, heard_at: now }));
		case 'set_up_over':
			return unjoined(call, 'failed', now, 'setup_timeout');
		case 'unheard_end':
		case 'conversation_over':
			return endedByNow(call, now);
		case 'look_up':
			return call;
	}
}

/** Updates the call from its legs: winner, next legs, idle legs, status, events. `again`: legs whose messages may be lost. */
function alignWithLegs(before: Call, changed: Call, moment: Moment, again: ReadonlySet<string> = new Set()): Decision {
	const moved = withStatus(withLegs(changed, moment), moment);
	const call = withStatus(withoutIdle(moved, moment), moment);
	return {
		call,
		events: announced(before, call),
		dial: call.legs.filter((leg) => toDial(leg, before, again)),
		hang_up: call.legs.filter((leg) => toHangUp(leg, before, again)),
	};
}

const earlierOf = (leg: Leg, call: Call): Leg | null => call.legs.find(({ id }) => id === leg.id) ?? null;

/** The leg is new, its dial was throttled, or its dial message may be lost. */
function toDial(leg: Leg, before: Call, again: ReadonlySet<string>): boolean {
	if (!isUndialed(leg)) return false;
	const earlier = earlierOf(leg, before);
	return again.has(leg.id) || earlier === null || earlier.throttled_until !== leg.throttled_until;
}

/** The hang-up is new, the leg's provider id has just become known, or an earlier hang-up had no effect. */
function toHangUp(leg: Leg, before: Call, again: ReadonlySet<string>): boolean {
	if (leg.hangup_requested_at === null || leg.provider_id === null) return false;
	const earlier = earlierOf(leg, before);
	return again.has(leg.id) || earlier === null || earlier.hangup_requested_at === null || earlier.provider_id === null;
}

function withLegs(call: Call, { now_ms }: Moment): Call {
	if (isTerminal(call.status)) return call;
	const accepted = call.legs.find((leg) => leg.role === 'agent' && leg.accepted_at !== null);
	const won = { ...call, winner_leg_id: call.winner_leg_id ?? accepted?.id ?? null };
	return { ...won, legs: [...won.legs, ...nextLegs(won, now_ms)] };
}

function withoutIdle(call: Call, { now_ms }: Moment): Call {
	const idle = new Set(idleLegs(call).map(({ id }) => id));
	return { ...call, legs: call.legs.map((leg) => (idle.has(leg.id) ? letGo(leg, iso(now_ms)) : leg)) };
}

function withStatus(call: Call, { now_ms }: Moment): Call {
	const now = aggregate(call, now_ms);
	if (!isLater(now.status, call.status)) return call;
	switch (now.status) {
		case 'requested':
		case 'ringing':
			return { ...call, status: now.status };
		case 'connected':
			return { ...call, status: now.status, connected_at: now.conversation.joined_at };
		case 'completed':
			return spoken(call, now.conversation, iso(now_ms));
		case 'failed':
			return unjoined(call, 'failed', now.ended_at, now.reason);
	}
}

/** A call that is requested. */
export type NewCall = {
	readonly id: string;
	readonly workspace: Workspace;
	readonly visitor_phone_masked: string;
	readonly visitor_name: string | null;
	readonly source_url: string;
	readonly reference?: string | null;
	readonly number_hash?: string;
	/** Overrides the workspace's plan. */
	readonly plan?: RingPlan;
	/** The lead that this call answers, which has the number. */
	readonly lead_id?: string;
};

/** Creates a call that was just requested, with its first legs and its first event. */
export function newCall(asked: NewCall, moment: Moment): Decision {
	const blank: Call = {
		id: asked.id,
		workspace_id: asked.workspace.id,
		status: 'requested',
		visitor_phone_masked: asked.visitor_phone_masked,
		source_url: asked.source_url,
		connected_at: null,
		completed_at: null,
		duration_seconds: null,
		created_at: iso(moment.now_ms),
		failure_reason: null,
		language: languageOf(asked.workspace),
		visitor_name: asked.visitor_name,
		reference: asked.reference ?? null,
		...(asked.number_hash !== undefined && { number_hash: asked.number_hash }),
		...(asked.lead_id !== undefined && { lead_id: asked.lead_id }),
		plan: asked.plan ?? ringPlan(asked.workspace, asked.id, moment.now_ms),
		legs: [],
		winner_leg_id: null,
	};
	const decision = alignWithLegs(blank, blank, moment);
	const { id, workspace_id, status, duration_seconds } = decision.call;
	const requested: CallEvent = { kind: 'call.requested', data: { id, workspace_id, status, duration_seconds } };
	return { ...decision, events: [requested] };
}
