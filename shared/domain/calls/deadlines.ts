import { type Call, isTerminal } from './call.ts';
import { conversationOf, isJoined } from './call-aggregation.ts';
import { isJudgedByUs, isLive, isUndialed, type Leg } from './leg.ts';
import { acceptPrompt, secondsToSay } from './spoken.ts';

/** All time limits, in seconds. For simulated phones, which may run faster than real phones, the limits are shortened. */
export const DEADLINE_SECONDS = {
	/** A leg is not dialed yet. After this time, its dial message counts as lost and is sent again. */
	undialed: 10,
	/** The provider accepted the dial, but the phone does not ring yet. After this time, ask the provider about the leg. */
	queued: 15,
	agent_ring: 20,
	/** How long a member may take to press 1, from the end of the prompt on. */
	press_one: 8,
	visitor_ring: 30,
	set_up: 120,
	/** If the provider has not reported on a live leg for this long, ask the provider about the leg. */
	silence: 45,
	/** During a conversation, the provider has nothing to report. So both legs are looked up together, at long intervals. */
	talking: 150,
	conversation: 2 * 3600,
	/** It is unknown whether the provider has accepted the dial. After this time, ask the provider about the leg. */
	unclear_ask: 10,
	/**
	 * If it is unknown whether the provider has accepted the dial, and the provider still does not know the leg after this
	 * time, give the leg up.
	 */
	unclear_end: 20,
	/** Repeat a hang-up after this time. */
	hang_up: 10,
	/**
	 * A hang-up is repeated every `hang_up` seconds for the first `hang_up_often` seconds. After that, it is repeated every
	 * `hang_up_seldom` seconds until the provider reports the end.
	 */
	hang_up_often: 120,
	hang_up_seldom: 180,
	/**
	 * The provider itself ends a leg after this time, even if we fail to end the leg. The time is enough for the longest
	 * conversation and its setup.
	 */
	leg: 2 * 3600 + 300,
	/** No phone rings later than this after its dial, even if the provider has put the dial into a queue. */
	rings: 120,
	/** The sweep checks every call at this interval, in case every timer is lost. */
	sweep: 240,
	/**
	 * The sweep's interval during a conversation. A look-up of the legs postpones the sweep's check if the check would come
	 * before the next look-up, and postponing costs two index writes. The legs are looked up three times in this interval
	 * (see `talking`), so at most one look-up in three postpones the check.
	 */
	sweep_talking: 480,
	/** How long a call waits for the provider to report the ends of legs that are being hung up. */
	unheard_end: 10,
} as const;

/**
 * The provider itself stops ringing at the end of the ring time. We end the leg only this much later, in case the provider
 * has not stopped.
 */
const GRACE_SECONDS = 3;

/**
 * For simulated phones, deadlines are shortened at most by this factor. Simulated phones may run faster, but the computer on
 * which they run does not.
 */
const FASTEST = 3;

export type DueAction =
	/** Send the dial or the hang-up again, because its message may be lost or had no effect. */
	| { readonly due: 'ask_again'; readonly leg_id: string }
	| { readonly due: 'look_up'; readonly leg_id: string }
	/** We decide that the leg has ended, without a report of the provider. */
	| { readonly due: 'end_leg'; readonly leg_id: string; readonly cause: 'no_answer' | 'provider_error' }
	| { readonly due: 'set_up_over' | 'unheard_end' | 'conversation_over' };
export type Deadline = DueAction & { readonly at_ms: number };

/** `speed`: the speed of this deployment's phones. 1 for real phones, 3 for simulated phones that are three times as fast. */
export type Now = { readonly now_ms: number; readonly speed: number };
type Rule = (seconds: number, since: string) => number;

/** The length of a deadline in milliseconds, for phones that run `speed` times as fast as real phones. */
export function lengthOf(seconds: number, speed: number): number {
	return Math.ceil((seconds * 1000) / Math.min(speed, FASTEST));
}

function ringLimit(leg: Leg): number {
	return leg.role === 'agent' ? DEADLINE_SECONDS.agent_ring : DEADLINE_SECONDS.visitor_ring;
}

function latest(a: string, b: string | null): string {
	return b !== null && b > a ? b : a;
}

/** Whether the leg's phone may still be ringing, that is, whether its ring time since the dial is not over. */
export function stillRings(leg: Leg, { now_ms, speed }: Now): boolean {
	return now_ms < Date.parse(leg.dialed_at ?? leg.created_at) + lengthOf(ringLimit(leg) + GRACE_SECONDS, speed);
}

/** How many seconds of ring time were left when the phone was answered. */
export function unusedRing(leg: Leg, { now_ms, speed }: Now): number {
	const rungMs = now_ms - Date.parse(leg.dialed_at ?? leg.created_at);
	return Math.max(0, ringLimit(leg) - (rungMs * Math.min(speed, FASTEST)) / 1000);
}

/** What a leg's deadlines depend on, apart from the leg itself. */
type Scene = {
	readonly prompt_seconds: number;
	/** When the provider last reported on the two legs of the conversation. Null if there is no conversation. */
	readonly talk_reported_at: string | null;
};

export function isTalking(call: Call): boolean {
	const conversation = conversationOf(call);
	return conversation !== null && conversation.ended_at === null;
}

/** When the provider last reported on either leg of the conversation. Null if there is no conversation. */
function talkReportedAt(call: Call): string | null {
	if (!isTalking(call)) return null;
	return call.legs.filter((leg) => isJoined(leg, call)).reduce((at, leg) => latest(at, leg.heard_at), call.created_at);
}

/**
 * The deadlines that follow from a leg's state, and from how long the provider has not reported on it. The deadlines are
 * counted by our clock, because a provider's clock may be wrong.
 */
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
 * Deadlines of a leg that is being hung up: repeat the hang-up until the provider reports the end. Give the leg up when that
 * report can no longer come. If the provider has never reported the leg's id, this is when the phone can no longer ring.
 * Otherwise, this is when the provider must have ended the leg by itself.
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
		// The member's time to press 1 does not begin before the moment when ringing would have stopped, because a phone's
		// assistant may answer at once and ring its owner after that.
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

/**
 * Every deadline of a call, the soonest first. There are none once the call has ended and no leg is live. `speed` is the
 * speed of the phones.
 */
export function deadlinesOf(call: Call, speed: number): readonly Deadline[] {
	const after: Rule = (seconds, since) => Date.parse(since) + lengthOf(seconds, speed);
	const scene = { prompt_seconds: secondsToSay(acceptPrompt(call)), talk_reported_at: talkReportedAt(call) };
	const ofLegs = call.legs.filter(isLive).flatMap((leg) => {
		return legDeadlines(leg, isJoined(leg, call) ? scene : { ...scene, talk_reported_at: null }, after);
	});
	return [...ofLegs, ...callDeadlines(call, after)].sort((a, b) => a.at_ms - b.at_ms);
}

/** Whether no further phone may ring for the call, because it has ended or its setup took too long. */
export function isTooLateToDial(call: Call, { now_ms, speed }: Now): boolean {
	const isOver = ({ due, at_ms }: Deadline): boolean => due === 'set_up_over' && at_ms <= now_ms;
	return isTerminal(call.status) || deadlinesOf(call, speed).some(isOver);
}

/**
 * Whether a phone may still ring: one of the legs was dialed and not answered, the provider has not reported its end, and
 * its dial was less than `rings` seconds ago.
 */
export function mayStillRing(call: Call, { now_ms, speed }: Now): boolean {
	return call.legs.some((leg) => {
		const isOpen = leg.rank === 'dialing' || leg.rank === 'ringing' || isJudgedByUs(leg);
		if (!isOpen || leg.dialed_at === null || leg.answered_at !== null || leg.throttled_until !== null) return false;
		return Date.parse(leg.dialed_at) + lengthOf(DEADLINE_SECONDS.rings, speed) > now_ms;
	});
}

/** Live legs on which the provider has not reported for so long that we have to ask. */
export function silentLegs(call: Call, { now_ms, speed }: Now): readonly Leg[] {
	const due = deadlinesOf(call, speed).filter(({ at_ms }) => at_ms <= now_ms);
	const silent = new Set(due.flatMap((each) => (each.due === 'look_up' ? [each.leg_id] : [])));
	return call.legs.filter(({ id }) => silent.has(id));
}
