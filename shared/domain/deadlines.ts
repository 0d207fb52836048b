import { type Call, isTerminal } from './call.ts';
import { conversationOf, isJoined } from './call-aggregation.ts';
import { isLive, type Leg } from './leg.ts';

/** How long each state may last, in seconds of the telephone's time (a simulated one may run faster). */
export const DEADLINE_SECONDS = {
	/** The dial message was lost: send it again. */
	undialed: 15,
	/** Accepted by the provider and still silent. */
	queued: 15,
	agent_ring: 20,
	press_one: 8,
	visitor_ring: 30,
	set_up: 120,
	/** The provider says nothing of a live leg: ask it. */
	silence: 45,
	conversation: 2 * 3600,
	/** Nobody knows whether the dial was processed: ask. */
	unclear_ask: 10,
	/** And give it up. */
	unclear_end: 20,
	/** One side of a conversation has ended, the other has not been heard of. */
	other_end: 10,
	/** A hang-up is asked for again. */
	hang_up: 10,
	/** A leg that cannot be hung up is given up. */
	hang_up_end: 120,
} as const;

/** The provider ends its own ringing at the limit; ours comes only if it does not. */
const GRACE_SECONDS = 3;
/** The sweep is the net under the timers, so it may come later than they. */
const SWEEP_MARGIN_SECONDS = 60;

/** What to do when its time has come. */
export type DueAction =
	| { readonly due: 'dial_again'; readonly leg_id: string }
	| { readonly due: 'look_up'; readonly leg_id: string }
	| { readonly due: 'hang_up_again'; readonly leg_id: string }
	/** The leg is over by our own judgement. */
	| { readonly due: 'end_leg'; readonly leg_id: string; readonly cause: 'no_answer' | 'provider_error' }
	| { readonly due: 'set_up_over' }
	| { readonly due: 'conversation_over' };
export type Deadline = DueAction & { readonly at_ms: number };

type Rule = (seconds: number, since: string) => number;

function ringLimit(leg: Leg): number {
	return leg.role === 'agent' ? DEADLINE_SECONDS.agent_ring : DEADLINE_SECONDS.visitor_ring;
}

/** The deadlines of a leg that lives: its state's own, and the provider's silence. */
function legDeadlines(leg: Leg, call: Call, after: Rule): readonly Deadline[] {
	const leg_id = leg.id;
	const D = DEADLINE_SECONDS;
	if (leg.hangup_requested_at !== null) {
		return [
			{ due: 'hang_up_again', leg_id, at_ms: after(D.hang_up, latest(leg.hangup_requested_at, leg.heard_at)) },
			{ due: 'end_leg', leg_id, cause: 'provider_error', at_ms: after(D.hang_up_end, leg.hangup_requested_at) },
		];
	}
	if (leg.rank === 'created') return [{ due: 'dial_again', leg_id, at_ms: after(D.undialed, leg.created_at) }];
	if (leg.throttled_until !== null)
		return [{ due: 'dial_again', leg_id, at_ms: after(D.undialed, leg.throttled_until) }];
	return [...stateDeadlines(leg, call, after), { due: 'look_up', leg_id, at_ms: after(D.silence, heard(leg)) }];
}

function stateDeadlines(leg: Leg, call: Call, after: Rule): readonly Deadline[] {
	const leg_id = leg.id;
	const D = DEADLINE_SECONDS;
	const dialed_at = leg.dialed_at ?? leg.created_at;
	if (leg.rank === 'dialing' && leg.provider_id === null) {
		const asked = leg.heard_at !== null;
		return [
			...(asked ? [] : [{ due: 'look_up', leg_id, at_ms: after(D.unclear_ask, dialed_at) } as const]),
			{ due: 'end_leg', leg_id, cause: 'provider_error', at_ms: after(D.unclear_end, dialed_at) },
		];
	}
	if (leg.rank === 'dialing') {
		const unheard = leg.heard_at === null;
		return [
			...(unheard ? [{ due: 'look_up', leg_id, at_ms: after(D.queued, dialed_at) } as const] : []),
			{ due: 'end_leg', leg_id, cause: 'provider_error', at_ms: after(D.queued + ringLimit(leg), dialed_at) },
		];
	}
	if (leg.rank === 'ringing') {
		const at_ms = after(ringLimit(leg) + GRACE_SECONDS, leg.ringing_at ?? dialed_at);
		return [{ due: 'end_leg', leg_id, cause: 'no_answer', at_ms }];
	}
	if (leg.role === 'agent' && leg.rank === 'answered') {
		const at_ms = after(D.press_one + GRACE_SECONDS, leg.answered_at ?? dialed_at);
		return [{ due: 'end_leg', leg_id, cause: 'no_answer', at_ms }];
	}
	const conversation = conversationOf(call);
	if (conversation?.ended_at && isJoined(leg, call)) {
		return [{ due: 'end_leg', leg_id, cause: 'provider_error', at_ms: after(D.other_end, conversation.ended_at) }];
	}
	return [];
}

function heard(leg: Leg): string {
	return latest(leg.dialed_at ?? leg.created_at, leg.heard_at);
}

function latest(a: string, b: string | null): string {
	return b !== null && b > a ? b : a;
}

/** Every deadline of a call, soonest first; none once it is over and no leg lives. `speed` divides them all. */
export function deadlinesOf(call: Call, speed: number): readonly Deadline[] {
	const after: Rule = (seconds, since) => Date.parse(since) + Math.ceil((seconds * 1000) / speed);
	const deadlines: Deadline[] = call.legs.filter(isLive).flatMap((leg) => legDeadlines(leg, call, after));
	if (!isTerminal(call.status)) {
		const conversation = conversationOf(call);
		deadlines.push(
			conversation === null
				? { due: 'set_up_over', at_ms: after(DEADLINE_SECONDS.set_up, call.created_at) }
				: { due: 'conversation_over', at_ms: after(DEADLINE_SECONDS.conversation, conversation.joined_at) },
		);
	}
	return deadlines.sort((a, b) => a.at_ms - b.at_ms);
}

/**
 * When the sweep should look, should every timer be lost. Coarse on purpose: each change of it costs two index writes,
 * so it moves only when the call is connected and when it ends.
 */
export function sweepAt(call: Call, speed: number): string | null {
	const at = (since: string, seconds: number): string =>
		new Date(Date.parse(since) + Math.ceil((seconds * 1000) / speed) + SWEEP_MARGIN_SECONDS * 1000).toISOString();
	if (isTerminal(call.status)) {
		const live = call.legs.some(isLive);
		return live ? (call.due_at ?? at(call.completed_at ?? call.created_at, DEADLINE_SECONDS.hang_up_end)) : null;
	}
	if (call.connected_at !== null) return at(call.connected_at, DEADLINE_SECONDS.conversation);
	return at(call.created_at, DEADLINE_SECONDS.set_up);
}
