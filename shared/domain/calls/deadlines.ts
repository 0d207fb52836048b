import { type Call, isTerminal } from './call.ts';
import { conversationOf, isJoined } from './call-aggregation.ts';
import { isJudgedByUs, isLive, isUndialed, type Leg } from './leg.ts';
import { acceptPrompt, secondsToSay } from './spoken.ts';

/** The limit of each state, in seconds of phone time (simulated phones may run faster). */
export const DEADLINE_SECONDS = {
	/** After this, the dial message counts as lost: send it again. */
	undialed: 10,
	/** The provider accepted the dial, but the phone does not ring yet: look the leg up. */
	queued: 15,
	agent_ring: 20,
	/** Counted from the end of the prompt. */
	press_one: 8,
	visitor_ring: 30,
	set_up: 120,
	/** The provider has not reported on a live leg: look it up. */
	silence: 45,
	/** During a conversation there is nothing to report, so we look up both legs together, at long intervals. */
	talking: 150,
	conversation: 2 * 3600,
	/** It is unknown whether the provider processed the dial: look the leg up. */
	unclear_ask: 10,
	/** The look-ups found nothing: give the leg up. */
	unclear_end: 20,
	/** Repeat a hang-up. */
	hang_up: 10,
	/** Repeat it at the short interval at first; then at the long one, until the provider reports the end. */
	hang_up_often: 120,
	hang_up_seldom: 180,
	/** The provider ends a leg by itself after this, even if we fail: covers the longest conversation and its setup. */
	leg: 2 * 3600 + 300,
	/** No phone rings longer than this after its dial, even if the provider has queued it. */
	rings: 120,
	/** The sweep checks every call at this interval, even if every timer is lost. */
	sweep: 240,
	/** The same during a conversation: three look-ups fit into it, so at most one of them has to move it. */
	sweep_talking: 480,
	/** The call waits at most this long for the ends of legs that are being hung up. */
	unheard_end: 10,
} as const;

/** The provider stops ringing at the limit; our limit applies only if it does not. */
const GRACE_SECONDS = 3;

/** Simulated phones can run faster than this, but the machine between them and us cannot. */
const FASTEST = 3;

export type DueAction =
	/** Dial or hang up again: the message may be lost, or had no effect. */
	| { readonly due: 'ask_again'; readonly leg_id: string }
	| { readonly due: 'look_up'; readonly leg_id: string }
	/** We decide that the leg has ended. */
	| { readonly due: 'end_leg'; readonly leg_id: string; readonly cause: 'no_answer' | 'provider_error' }
	| { readonly due: 'set_up_over' | 'unheard_end' | 'conversation_over' };
export type Deadline = DueAction & { readonly at_ms: number };

/** `speed`: that of the phones. */
export type Now = { readonly now_ms: number; readonly speed: number };
type Rule = (seconds: number, since: string) => number;

/** The length of a deadline in milliseconds, for phones that run `speed` times as fast as real ones. */
export function lengthOf(seconds: number, speed: number): number {
	return Math.ceil((seconds * 1000) / Math.min(speed, FASTEST));
}

function ringLimit(leg: Leg): number {
	return leg.role === 'agent' ? DEADLINE_SECONDS.agent_ring : DEADLINE_SECONDS.visitor_ring;
}

function latest(a: string, b: string | null): string {
	return b !== null && b > a ? b : a;
}

/** Whether the leg's phone may still be ringing: its ring time after the dial is not over. */
export function stillRings(leg: Leg, { now_ms, speed }: Now): boolean {
	return now_ms < Date.parse(leg.dialed_at ?? leg.created_at) + lengthOf(ringLimit(leg) + GRACE_SECONDS, speed);
}

/** The seconds of ring time that were left when the phone was answered. */
export function unusedRing(leg: Leg, { now_ms, speed }: Now): number {
	const rungMs = now_ms - Date.parse(leg.dialed_at ?? leg.created_at);
	return Math.max(0, ringLimit(leg) - (rungMs * Math.min(speed, FASTEST)) / 1000);
}

/** The context that a leg's deadlines depend on. */
type Scene = {
	readonly prompt_seconds: number;
	/** When the provider last reported on the connected legs; null while none are. */
	readonly talk_reported_at: string | null;
};

export function isTalking(call: Call): boolean {
	const conversation = conversationOf(call);
	return conversation !== null && conversation.ended_at === null;
}

/** When the provider last reported on either leg of the conversation; null while there is none. */
function talkReportedAt(call: Call): string | null {
	if (!isTalking(call)) return null;
	return call.legs.filter((leg) => isJoined(leg, call)).reduce((at, leg) => latest(at, leg.heard_at), call.created_at);
}

/** The deadlines of a leg's state and of the provider's silence, by our clock: a provider's may be wrong. */
function legDeadlines(leg: Leg, { prompt_seconds, talk_reported_at }: Scene, after: Rule): readonly Deadline[] {
	const leg_id = leg.id;
	const D = DEADLINE_SECONDS;
	if (leg.hangup_requested_at !== null) return hangUpDeadlines(leg, leg.hangup_requested_at, after);
	if (isUndialed(leg)) {
		const since = latest(leg.throttled_until ?? leg.created_at, leg.heard_at);
		return [{ due: 'ask_again', leg_id, at_ms: after(D.undialed, since) }];
	}
	const heardAt = latest(leg.dialed_at ?? leg.created_at, leg.heard_at);
	if (talk_reported_at !== null) return [{ due: 'look_up', leg_id, at_ms: after(D.talking, talk_reported_at) }];
	return [
		...stateDeadlines(leg, heardAt, prompt_seconds, after),
		{ due: 'look_up', leg_id, at_ms: after(D.silence, heardAt) },
	];
}

/**
 * Repeat the hang-up until the provider reports the end of the leg. Give it up when that report can no longer come: the
 * provider has ended the leg by itself, or never reported the leg's id.
 */
function hangUpDeadlines(leg: Leg, requestedAt: string, after: Rule): readonly Deadline[] {
	const leg_id = leg.id;
	const D = DEADLINE_SECONDS;
	const askedAt = latest(requestedAt, leg.heard_at);
	const soonMs = after(D.hang_up, askedAt);
	const at_ms = soonMs <= after(D.hang_up_often, requestedAt) ? soonMs : after(D.hang_up_seldom, askedAt);
	const endMs =
		leg.provider_id === null ? after(D.rings, requestedAt) : after(D.leg + D.rings, leg.dialed_at ?? requestedAt);
	return [
		{ due: 'ask_again', leg_id, at_ms },
		{ due: 'look_up', leg_id, at_ms },
		{ due: 'end_leg', leg_id, cause: 'provider_error', at_ms: endMs },
	];
}

function stateDeadlines(leg: Leg, heardAt: string, promptSeconds: number, after: Rule): readonly Deadline[] {
	const leg_id = leg.id;
	const D = DEADLINE_SECONDS;
	const dialedAt = leg.dialed_at ?? leg.created_at;
	if (leg.rank === 'dialing') {
		const [ask, end] =
			leg.provider_id === null ? [D.unclear_ask, D.unclear_end] : [D.queued, D.queued + ringLimit(leg)];
		return [
			{ due: 'look_up', leg_id, at_ms: after(ask, heardAt) },
			{ due: 'end_leg', leg_id, cause: 'provider_error', at_ms: after(end, dialedAt) },
		];
	}
	if (leg.rank === 'ringing') {
		return [{ due: 'end_leg', leg_id, cause: 'no_answer', at_ms: after(ringLimit(leg) + GRACE_SECONDS, heardAt) }];
	}
	if (leg.role === 'agent' && leg.rank === 'answered') {
		const limit = promptSeconds + D.press_one + GRACE_SECONDS;
		// Counts from the moment when ringing would have stopped: an assistant may answer at once and ring its owner afterwards.
		const at_ms = Math.max(after(limit, heardAt), after(D.agent_ring + limit, dialedAt));
		return [{ due: 'end_leg', leg_id, cause: 'no_answer', at_ms }];
	}
	return [];
}

function callDeadlines(call: Call, after: Rule): readonly Deadline[] {
	if (isTerminal(call.status)) return [];
	const D = DEADLINE_SECONDS;
	const joinedAt = conversationOf(call)?.joined_at ?? null;
	const limit: Deadline =
		joinedAt === null
			? { due: 'set_up_over', at_ms: after(D.set_up, call.created_at) }
			: { due: 'conversation_over', at_ms: after(D.conversation, joinedAt) };
	const unreleased = call.legs.filter((leg) => isLive(leg) && leg.hangup_requested_at === null);
	if (unreleased.length > 0) return [limit];
	const askedAt = call.legs.filter(isLive).map((leg) => leg.hangup_requested_at);
	return [limit, { due: 'unheard_end', at_ms: after(D.unheard_end, askedAt.reduce<string>(latest, call.created_at)) }];
}

/** Every deadline of a call, soonest first; none once it has ended and no leg is live. `speed` is that of the phones. */
export function deadlinesOf(call: Call, speed: number): readonly Deadline[] {
	const after: Rule = (seconds, since) => Date.parse(since) + lengthOf(seconds, speed);
	const scene = { prompt_seconds: secondsToSay(acceptPrompt(call)), talk_reported_at: talkReportedAt(call) };
	const ofLegs = call.legs.filter(isLive).flatMap((leg) => {
		return legDeadlines(leg, isJoined(leg, call) ? scene : { ...scene, talk_reported_at: null }, after);
	});
	return [...ofLegs, ...callDeadlines(call, after)].sort((a, b) => a.at_ms - b.at_ms);
}

/** Whether no more phones may ring for the call: it has ended, or its setup took too long. */
export function isTooLateToDial(call: Call, { now_ms, speed }: Now): boolean {
	const isOver = ({ due, at_ms }: Deadline): boolean => due === 'set_up_over' && at_ms <= now_ms;
	return isTerminal(call.status) || deadlinesOf(call, speed).some(isOver);
}

/** Whether a phone may still ring: a leg was dialled, not answered, and the provider has not reported its end. */
export function mayStillRing(call: Call, { now_ms, speed }: Now): boolean {
	return call.legs.some((leg) => {
		const isOpen = leg.rank === 'dialing' || leg.rank === 'ringing' || isJudgedByUs(leg);
		if (!isOpen || leg.dialed_at === null || leg.answered_at !== null || leg.throttled_until !== null) return false;
		return Date.parse(leg.dialed_at) + lengthOf(DEADLINE_SECONDS.rings, speed) > now_ms;
	});
}

/** Live legs on which the provider has not reported for too long. */
export function silentLegs(call: Call, { now_ms, speed }: Now): readonly Leg[] {
	const due = deadlinesOf(call, speed).filter(({ at_ms }) => at_ms <= now_ms);
	const silent = new Set(due.flatMap((each) => (each.due === 'look_up' ? [each.leg_id] : [])));
	return call.legs.filter(({ id }) => silent.has(id));
}
