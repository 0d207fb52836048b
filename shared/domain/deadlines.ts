import { type Call, isTerminal } from './call.ts';
import { conversationOf } from './call-aggregation.ts';
import { isLive, type Leg } from './leg.ts';
import { spokenPrompt, spokenSeconds } from './spoken-prompt.ts';

/** How long each state may last, in seconds of the telephone's time (a simulated one may run faster). */
export const DEADLINE_SECONDS = {
	/** The dial message was lost: send it again. */
	undialed: 15,
	/** Accepted by the provider, and still not ringing: ask it. */
	queued: 15,
	agent_ring: 20,
	/** After the prompt has been said. */
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
	/** A hang-up is asked for again. */
	hang_up: 10,
	/** A leg that cannot be hung up is given up. */
	hang_up_end: 120,
	/** The call does not wait longer for the ends of legs that are being hung up. */
	unheard_end: 10,
} as const;

/** The provider ends its own ringing at the limit; ours comes only if it does not. */
const GRACE_SECONDS = 3;
/** The sweep is the net under the timers, so it may come later than they. */
const SWEEP_MARGIN_SECONDS = 60;

/** Simulated phones can be made faster than this; the machine between them and us cannot. */
const FASTEST = 3;

/** What to do when its time has come. */
export type DueAction =
	/** Dial or hang up: the message may be lost, or was in vain. */
	| { readonly due: 'ask_again'; readonly leg_id: string }
	| { readonly due: 'look_up'; readonly leg_id: string }
	/** The leg is over by our own judgement. */
	| { readonly due: 'end_leg'; readonly leg_id: string; readonly cause: 'no_answer' | 'provider_error' }
	| { readonly due: 'set_up_over' | 'unheard_end' | 'conversation_over' };
export type Deadline = DueAction & { readonly at_ms: number };

type Rule = (seconds: number, since: string) => number;

/** A deadline's length in milliseconds, with phones that run `speed` times as fast as real ones. */
function lengthOf(seconds: number, speed: number): number {
	return Math.ceil((seconds * 1000) / Math.min(speed, FASTEST));
}

function ringLimit(leg: Leg): number {
	return leg.role === 'agent' ? DEADLINE_SECONDS.agent_ring : DEADLINE_SECONDS.visitor_ring;
}

function latest(a: string, b: string | null): string {
	return b !== null && b > a ? b : a;
}

/**
 * The deadlines of a leg that lives: its state's own, and the provider's silence. All count by our clock, for a
 * provider's may be wrong.
 */
function legDeadlines(leg: Leg, prompt_seconds: number, after: Rule): readonly Deadline[] {
	const leg_id = leg.id;
	const D = DEADLINE_SECONDS;
	if (leg.hangup_requested_at !== null) {
		const at_ms = after(D.hang_up, latest(leg.hangup_requested_at, leg.heard_at));
		const end_ms = after(D.hang_up_end, leg.hangup_requested_at);
		return [
			{ due: 'ask_again', leg_id, at_ms },
			{ due: 'look_up', leg_id, at_ms },
			{ due: 'end_leg', leg_id, cause: 'provider_error', at_ms: end_ms },
		];
	}
	if (leg.rank === 'created' || leg.throttled_until !== null) {
		const since = latest(leg.throttled_until ?? leg.created_at, leg.heard_at);
		return [{ due: 'ask_again', leg_id, at_ms: after(D.undialed, since) }];
	}
	const heard_at = latest(leg.dialed_at ?? leg.created_at, leg.heard_at);
	return [
		...stateDeadlines(leg, heard_at, prompt_seconds, after),
		{ due: 'look_up', leg_id, at_ms: after(D.silence, heard_at) },
	];
}

function stateDeadlines(leg: Leg, heard_at: string, prompt_seconds: number, after: Rule): readonly Deadline[] {
	const leg_id = leg.id;
	const D = DEADLINE_SECONDS;
	const dialed_at = leg.dialed_at ?? leg.created_at;
	if (leg.rank === 'dialing') {
		const [ask, end] =
			leg.provider_id === null ? [D.unclear_ask, D.unclear_end] : [D.queued, D.queued + ringLimit(leg)];
		return [
			{ due: 'look_up', leg_id, at_ms: after(ask, heard_at) },
			{ due: 'end_leg', leg_id, cause: 'provider_error', at_ms: after(end, dialed_at) },
		];
	}
	if (leg.rank === 'ringing') {
		return [{ due: 'end_leg', leg_id, cause: 'no_answer', at_ms: after(ringLimit(leg) + GRACE_SECONDS, heard_at) }];
	}
	if (leg.role === 'agent' && leg.rank === 'answered') {
		const limit = prompt_seconds + D.press_one + GRACE_SECONDS;
		return [{ due: 'end_leg', leg_id, cause: 'no_answer', at_ms: after(limit, heard_at) }];
	}
	return [];
}

function callDeadlines(call: Call, after: Rule): readonly Deadline[] {
	if (isTerminal(call.status)) return [];
	const D = DEADLINE_SECONDS;
	const joined_at = conversationOf(call)?.joined_at ?? null;
	const limit: Deadline =
		joined_at === null
			? { due: 'set_up_over', at_ms: after(D.set_up, call.created_at) }
			: { due: 'conversation_over', at_ms: after(D.conversation, joined_at) };
	const wanted = call.legs.filter((leg) => isLive(leg) && leg.hangup_requested_at === null);
	if (wanted.length > 0) return [limit];
	const asked_at = call.legs.filter(isLive).map((leg) => leg.hangup_requested_at ?? leg.created_at);
	return [limit, { due: 'unheard_end', at_ms: after(D.unheard_end, asked_at.reduce(latest, call.created_at)) }];
}

/** Every deadline of a call, soonest first; none once it is over and no leg lives. `speed` is that of the phones. */
export function deadlinesOf(call: Call, speed: number): readonly Deadline[] {
	const after: Rule = (seconds, since) => Date.parse(since) + lengthOf(seconds, speed);
	const prompt_seconds = spokenSeconds(spokenPrompt(call));
	const ofLegs = call.legs.filter(isLive).flatMap((leg) => legDeadlines(leg, prompt_seconds, after));
	return [...ofLegs, ...callDeadlines(call, after)].sort((a, b) => a.at_ms - b.at_ms);
}

/** Whether nobody may be rung for the call any more: it is over, or its set-up took too long. */
export function isTooLateToDial(
	call: Call,
	{ now_ms, speed }: { readonly now_ms: number; readonly speed: number },
): boolean {
	const isOver = ({ due, at_ms }: Deadline): boolean => due === 'set_up_over' && at_ms <= now_ms;
	return isTerminal(call.status) || deadlinesOf(call, speed).some(isOver);
}

/** Live legs of which the provider has said nothing for too long. */
export function silentLegs(
	call: Call,
	{ now_ms, speed }: { readonly now_ms: number; readonly speed: number },
): readonly Leg[] {
	const due = deadlinesOf(call, speed).filter(({ at_ms }) => at_ms <= now_ms);
	const silent = new Set(due.flatMap((each) => (each.due === 'look_up' ? [each.leg_id] : [])));
	return call.legs.filter(({ id }) => silent.has(id));
}

/**
 * When the sweep should look, should every timer be lost. Coarse on purpose: each change of it costs two index writes,
 * so it moves only when the call is connected and when it ends.
 */
export function sweepAt(call: Call, speed: number): string | null {
	const at = (since: string, seconds: number): string =>
		new Date(Date.parse(since) + lengthOf(seconds, speed) + SWEEP_MARGIN_SECONDS * 1000).toISOString();
	if (isTerminal(call.status)) {
		const live = call.legs.some(isLive);
		return live ? (call.due_at ?? at(call.completed_at ?? call.created_at, DEADLINE_SECONDS.hang_up_end)) : null;
	}
	if (call.connected_at !== null) return at(call.connected_at, DEADLINE_SECONDS.conversation);
	return at(call.created_at, DEADLINE_SECONDS.set_up);
}
