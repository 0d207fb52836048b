import { type Call, isTerminal } from './call.ts';
import { conversationOf, isJoined } from './call-aggregation.ts';
import { isJudgedByUs, isLive, type Leg } from './leg.ts';
import { spokenPrompt, spokenSeconds } from './spoken-prompt.ts';

/** How long each state may last, in seconds of the telephone's time (a simulated one may run faster). */
export const DEADLINE_SECONDS = {
	/** The dial message was lost: send it again. */
	undialed: 10,
	/** Accepted by the provider, and still not ringing: ask it. */
	queued: 15,
	agent_ring: 20,
	/** After the prompt has been said. */
	press_one: 8,
	visitor_ring: 30,
	set_up: 120,
	/** The provider says nothing of a live leg: ask it. */
	silence: 45,
	/** While both people talk there is nothing to say, so it is asked about both at once, and seldom. */
	talking: 150,
	conversation: 2 * 3600,
	/** It is unknown whether the dial was processed: ask the provider. */
	unclear_ask: 10,
	/** And give it up. */
	unclear_end: 20,
	/** A hang-up is asked for again. */
	hang_up: 10,
	/** While the provider might only be slow; then more seldom, until it says that the leg is over. */
	hang_up_often: 120,
	hang_up_seldom: 180,
	/** The provider ends a leg by itself after this, even if we fail: the longest conversation and its set-up. */
	leg: 2 * 3600 + 300,
	/** No phone rings longer than this after its dial, not even when the provider has queued it. */
	rings: 120,
	/** The sweep checks every call at this interval, even if every timer was lost; it runs after the look-ups of a connected call. */
	sweep: 240,
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

type Moment = { readonly now_ms: number; readonly speed: number };
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

/** What a leg's deadlines depend on besides the leg. */
type Scene = {
	readonly prompt_seconds: number;
	/** When the provider last reported on the connected legs; null while none are. */
	readonly talk_heard_at: string | null;
};

/** Both legs of a talk, while it lasts. */
function talkHeardAt(call: Call): string | null {
	const conversation = conversationOf(call);
	if (conversation === null || conversation.ended_at !== null) return null;
	return call.legs.filter((leg) => isJoined(leg, call)).reduce((at, leg) => latest(at, leg.heard_at), call.created_at);
}

/**
 * The deadlines of a leg that lives: its state's own, and the provider's silence. All count by our clock, for a
 * provider's may be wrong.
 */
function legDeadlines(leg: Leg, { prompt_seconds, talk_heard_at }: Scene, after: Rule): readonly Deadline[] {
	const leg_id = leg.id;
	const D = DEADLINE_SECONDS;
	if (leg.hangup_requested_at !== null) return hangUpDeadlines(leg, leg.hangup_requested_at, after);
	if (leg.rank === 'created' || leg.throttled_until !== null) {
		const since = latest(leg.throttled_until ?? leg.created_at, leg.heard_at);
		return [{ due: 'ask_again', leg_id, at_ms: after(D.undialed, since) }];
	}
	const heard_at = latest(leg.dialed_at ?? leg.created_at, leg.heard_at);
	if (talk_heard_at !== null) return [{ due: 'look_up', leg_id, at_ms: after(D.talking, talk_heard_at) }];
	return [
		...stateDeadlines(leg, heard_at, prompt_seconds, after),
		{ due: 'look_up', leg_id, at_ms: after(D.silence, heard_at) },
	];
}

/**
 * The provider is asked again until it says that the leg is over. It is given up where that cannot be heard any more: the
 * provider has ended it by itself, or its id has never become known.
 */
function hangUpDeadlines(leg: Leg, requested_at: string, after: Rule): readonly Deadline[] {
	const leg_id = leg.id;
	const D = DEADLINE_SECONDS;
	const asked_at = latest(requested_at, leg.heard_at);
	const soon_ms = after(D.hang_up, asked_at);
	const at_ms = soon_ms <= after(D.hang_up_often, requested_at) ? soon_ms : after(D.hang_up_seldom, asked_at);
	const end_ms =
		leg.provider_id === null ? after(D.rings, requested_at) : after(D.leg + D.rings, leg.dialed_at ?? requested_at);
	return [
		{ due: 'ask_again', leg_id, at_ms },
		{ due: 'look_up', leg_id, at_ms },
		{ due: 'end_leg', leg_id, cause: 'provider_error', at_ms: end_ms },
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
	const scene = { prompt_seconds: spokenSeconds(spokenPrompt(call)), talk_heard_at: talkHeardAt(call) };
	const ofLegs = call.legs.filter(isLive).flatMap((leg) => {
		return legDeadlines(leg, isJoined(leg, call) ? scene : { ...scene, talk_heard_at: null }, after);
	});
	return [...ofLegs, ...callDeadlines(call, after)].sort((a, b) => a.at_ms - b.at_ms);
}

/** Whether no more phones may ring for the call: it is over, or its set-up took too long. */
export function isTooLateToDial(call: Call, { now_ms, speed }: Moment): boolean {
	const isOver = ({ due, at_ms }: Deadline): boolean => due === 'set_up_over' && at_ms <= now_ms;
	return isTerminal(call.status) || deadlinesOf(call, speed).some(isOver);
}

/** Whether a phone may still ring for the call: what is dialled and neither answered nor, by the provider's word, over. */
export function mayRing(call: Call, { now_ms, speed }: Moment): boolean {
	return call.legs.some((leg) => {
		const isOpen = leg.rank === 'dialing' || leg.rank === 'ringing' || isJudgedByUs(leg);
		if (!isOpen || leg.dialed_at === null || leg.answered_at !== null || leg.throttled_until !== null) return false;
		return Date.parse(leg.dialed_at) + lengthOf(DEADLINE_SECONDS.rings, speed) > now_ms;
	});
}

/** Live legs of which the provider has said nothing for too long. */
export function silentLegs(call: Call, { now_ms, speed }: Moment): readonly Leg[] {
	const due = deadlinesOf(call, speed).filter(({ at_ms }) => at_ms <= now_ms);
	const silent = new Set(due.flatMap((each) => (each.due === 'look_up' ? [each.leg_id] : [])));
	return call.legs.filter(({ id }) => silent.has(id));
}

/** Whether anything is to be done for a call by now. */
export function isDue(call: Call, { now_ms, speed }: Moment): boolean {
	if (call.due_at !== null && Date.parse(call.due_at) <= now_ms) return true;
	return deadlinesOf(call, speed).some(({ at_ms }) => at_ms <= now_ms);
}

/**
 * When the sweep should look, should every timer be lost; null once the call is over and no leg lives. Each change of it
 * costs two index writes, so it stays while the timers come first. `next_ms`: the next deadline, after time has passed; then
 * it moves on where the sweep would come before it.
 */
export function sweepAt(call: Call, next_ms: number | null, { now_ms, speed }: Moment): string | null {
	const over = isTerminal(call.status);
	if (over && !call.legs.some(isLive)) return null;
	const due_ms = call.due_at === null ? 0 : Date.parse(call.due_at);
	if (call.due_at !== null && (next_ms === null || due_ms > Math.max(next_ms, now_ms))) return call.due_at;
	const at = (since_ms: number, seconds: number): number => since_ms + lengthOf(seconds, speed);
	const margin_ms = SWEEP_MARGIN_SECONDS * 1000;
	const D = DEADLINE_SECONDS;
	const limit_ms =
		call.connected_at === null
			? at(Date.parse(call.created_at), D.set_up)
			: at(Date.parse(call.connected_at), D.conversation);
	const later_ms = at(now_ms, D.sweep);
	const last_ms = limit_ms + margin_ms;
	return new Date(!over && last_ms > now_ms ? Math.min(later_ms, last_ms) : later_ms).toISOString();
}
