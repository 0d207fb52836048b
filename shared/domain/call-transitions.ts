import { type Call, type CallStatus, type FailureReason, isTerminal } from './call.ts';
import { aggregate, type Conversation, conversationOf, isLater } from './call-aggregation.ts';
import { announced, type CallEvent } from './call-events.ts';
import { applyToLeg, type CallInput, changeLeg } from './call-input.ts';
import { type Deadline, deadlinesOf, sweepAt } from './deadlines.ts';
import { ended, isLive, type Leg } from './leg.ts';
import { idleLegs, nextLegs, ringPlan } from './ringing-plan.ts';
import type { Workspace } from './workspace.ts';

/** What follows from an input. `call` is the input's own when nothing changed. */
export type Decision = {
	readonly call: Call;
	readonly events: readonly CallEvent[];
	readonly dial: readonly Leg[];
	readonly hang_up: readonly Leg[];
	readonly look_up: readonly Leg[];
	/** The deadline for which a timer is to be sent; null: one is under way already, or none is needed. */
	readonly timer_at_ms: number | null;
};

export type Moment = { readonly now_ms: number; readonly speed: number };

const iso = (epoch_ms: number): string => new Date(epoch_ms).toISOString();

/** Decides what an input means. Pure: clock and speed are arguments, and ids follow from the call. */
export function decide(call: Call, input: CallInput, moment: Moment): Decision {
	const now = iso(moment.now_ms);
	if (input.input === 'cancel') return settle(call, canceled(call, now), moment, []);
	if (input.input === 'time') return passTime(call, moment);
	return settle(call, applyToLeg(call, input, now), moment, []);
}

/** Cancel: not connected -> canceled; connected -> completed, with the duration until now. */
function canceled(call: Call, now: string): Call {
	if (isTerminal(call.status)) return call;
	const conversation = conversationOf(call);
	if (conversation === null) return endedCall(call, 'canceled', null, now, 'canceled');
	const ended_at = conversation.ended_at ?? now;
	return endedCall(call, 'completed', { ...conversation, ended_at }, ended_at, null);
}

function endedCall(
	call: Call,
	status: CallStatus,
	conversation: (Conversation & { readonly ended_at: string }) | null,
	completed_at: string,
	failure_reason: FailureReason | null,
): Call {
	const joined_at = conversation?.joined_at ?? null;
	const seconds = joined_at === null ? 0 : (Date.parse(completed_at) - Date.parse(joined_at)) / 1000;
	return {
		...call,
		status,
		connected_at: joined_at,
		completed_at,
		duration_seconds: Math.max(0, Math.floor(seconds)),
		failure_reason,
	};
}

function passTime(call: Call, moment: Moment): Decision {
	const now = iso(moment.now_ms);
	const due = deadlinesOf(call, moment.speed).filter(({ at_ms }) => at_ms <= moment.now_ms);
	let after = call;
	for (const deadline of due) {
		switch (deadline.due) {
			case 'end_leg':
				after = changeLeg(after, deadline.leg_id, (leg) => givenUp(leg, deadline.cause, now));
				break;
			case 'hang_up_again':
				after = changeLeg(after, deadline.leg_id, (leg) => ({ ...leg, heard_at: now }));
				break;
			case 'set_up_over':
				after = endedCall(after, 'failed', null, now, 'setup_timeout');
				break;
			case 'conversation_over':
				after = canceled(after, now);
				break;
			case 'dial_again':
			case 'look_up':
				break;
		}
	}
	return settle(call, after, moment, due);
}

/** Over by our judgement: recorded as ended, and hung up in case it is not. */
function givenUp(leg: Leg, cause: 'no_answer' | 'provider_error', now: string): Leg {
	return { ...ended(leg, cause, now), hangup_requested_at: leg.hangup_requested_at ?? now };
}

/** Brings the call in line with its legs: winner, next legs, idle legs, status, events, timers. */
function settle(before: Call, after: Call, moment: Moment, due: readonly Deadline[]): Decision {
	const now = iso(moment.now_ms);
	const moved = withStatus(withLegs(after, moment), moment);
	const idle = idleLegs(moved, isTerminal(moved.status)).filter(
		({ hangup_requested_at }) => hangup_requested_at === null,
	);
	const quiet = withStatus(
		{ ...moved, legs: moved.legs.map((leg) => (idle.includes(leg) ? letGo(leg, now) : leg)) },
		moment,
	);
	const events = announced(before, quiet);
	const due_at = sweepAt(quiet, moment.speed);
	const settled = { ...quiet, due_at, event_count: before.event_count + events.length };
	const next = deadlinesOf(settled, moment.speed).find(({ at_ms }) => at_ms > moment.now_ms)?.at_ms ?? null;
	const timer_at = next === null ? null : iso(next);
	const call = { ...settled, timer_at };
	const known = new Set(before.legs.map(({ id }) => id));
	const named = (kind: Deadline['due']) =>
		new Set(due.flatMap((d) => (d.due === kind && 'leg_id' in d ? [d.leg_id] : [])));
	const again = named('hang_up_again');
	const undialed = named('dial_again');
	const silent = named('look_up');
	return {
		call: same(before, call) ? before : call,
		events,
		dial: call.legs.filter((leg) => leg.rank !== 'ended' && (!known.has(leg.id) || undialed.has(leg.id))),
		hang_up: call.legs.filter((leg) => toHangUp(leg, before) || (again.has(leg.id) && isLive(leg))),
		look_up: call.legs.filter((leg) => silent.has(leg.id) && isLive(leg)),
		timer_at_ms: timer_at === before.timer_at ? null : next,
	};
}

/** Newly to be hung up, or its provider id has just become known. */
function toHangUp(leg: Leg, before: Call): boolean {
	if (leg.hangup_requested_at === null || leg.provider_id === null) return false;
	const earlier = before.legs.find(({ id }) => id === leg.id);
	return !earlier || earlier.hangup_requested_at === null || earlier.provider_id === null;
}

function withLegs(call: Call, { now_ms }: Moment): Call {
	if (isTerminal(call.status)) return call;
	const accepted = call.legs.find((leg) => leg.role === 'agent' && leg.accepted_at !== null);
	const winner_leg_id = call.winner_leg_id ?? accepted?.id ?? null;
	const won = { ...call, winner_leg_id };
	return { ...won, legs: [...won.legs, ...nextLegs(won, now_ms)] };
}

/** A leg nobody has dialled is over at once; one that may be ringing is hung up. */
function letGo(leg: Leg, now: string): Leg {
	return leg.rank === 'created' ? ended(leg, 'hung_up', now) : { ...leg, hangup_requested_at: now };
}

function withStatus(call: Call, { now_ms }: Moment): Call {
	if (isTerminal(call.status)) return call;
	const now = aggregate(call, now_ms);
	if (!isLater(now.status, call.status)) return call;
	switch (now.status) {
		case 'requested':
		case 'ringing':
			return { ...call, status: now.status };
		case 'connected':
			return { ...call, status: now.status, connected_at: now.conversation.joined_at };
		case 'completed':
			return endedCall(call, 'completed', now.conversation, now.conversation.ended_at, null);
		case 'failed':
			return endedCall(call, 'failed', null, now.ended_at, now.reason);
	}
}

function same(a: Call, b: Call): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}

/** A call that has just been asked for, with whom to ring first and its first event. */
export function newCall(
	asked: {
		readonly id: string;
		readonly workspace: Workspace;
		readonly visitor_phone_masked: string;
		readonly visitor_name: string | null;
		readonly source_url: string;
	},
	moment: Moment,
): Decision {
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
		version: 1,
		visitor_name: asked.visitor_name,
		plan: ringPlan(asked.workspace, asked.id),
		legs: [],
		winner_leg_id: null,
		event_count: 0,
		timer_at: null,
		due_at: null,
	};
	const decision = settle(blank, blank, moment, []);
	const { id, workspace_id, status, duration_seconds } = decision.call;
	const requested: CallEvent = { kind: 'call.requested', data: { id, workspace_id, status, duration_seconds } };
	return { ...decision, call: { ...decision.call, event_count: 1 }, events: [requested] };
}
