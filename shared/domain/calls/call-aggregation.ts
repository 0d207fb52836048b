import type { EventKind } from '../webhooks/event.ts';
import { agentLegs, type Call, type CallStatus, type FailureReason, visitorLeg, winnerLeg } from './call.ts';
import { type EndCause, hasRung, isLive, type Leg } from './leg.ts';

// Derives a call's state from its legs and its plan. The order in which the providers' reports arrived makes no difference.

/** The time in which both people were connected. `ended_at` is null as long as neither of them has left. */
export type Conversation = { readonly joined_at: string; readonly ended_at: string | null };

/** The state that follows from the legs. If there was a conversation, the state includes it. */
export type Aggregate =
	| { readonly status: 'requested' | 'ringing' }
	| { readonly status: 'connected'; readonly conversation: Conversation }
	| { readonly status: 'completed'; readonly conversation: Conversation & { readonly ended_at: string } }
	| { readonly status: 'failed'; readonly reason: FailureReason; readonly ended_at: string };

export const later = (a: string, b: string): string => (a > b ? a : b);

function earlier(a: string | null, b: string | null): string | null {
	if (a === null || b === null) return a ?? b;
	return a < b ? a : b;
}

/**
 * When a leg ended. Null if the leg has not ended. Null also if the end is before the answer. In that case, the provider's
 * clock was set back, and the end cannot be compared with the times of the other leg.
 */
function credibleEnd({ ended_at, answered_at, accepted_at }: Leg): string | null {
	const cameAt = later(answered_at ?? '', accepted_at ?? '');
	return ended_at === null || ended_at < cameAt ? null : ended_at;
}

/**
 * The conversation begins when the member has pressed 1 and the visitor has answered. The conversation ends when the first
 * of the two leaves. Null if one of the two never came, or left before the other came. If a leg has ended but no leg has a
 * credible end, the length of the conversation is unknown, and the conversation counts as ended at its beginning.
 */
export function conversationOf(call: Call): Conversation | null {
	const winner = winnerLeg(call);
	const visitor = visitorLeg(call);
	if (!winner?.accepted_at || !visitor?.answered_at) return null;
	const joined_at = later(winner.accepted_at, visitor.answered_at);
	const ended_at = earlier(credibleEnd(winner), credibleEnd(visitor));
	if (ended_at === null) return { joined_at, ended_at: (winner.ended_at ?? visitor.ended_at) ? joined_at : null };
	return ended_at < joined_at ? null : { joined_at, ended_at };
}

/**
 * Derives the call's status from its legs. The call must already contain the legs that have to be dialed next (see
 * `nextLegs`). A conversation ends when the first of its two legs ends. This time is certain only when both legs are known
 * to have ended, so only then is the call completed. A call without a conversation has failed once no leg is live, because
 * then there is no member left to try.
 */
export function aggregate(call: Call, nowMs: number): Aggregate {
	const conversation = conversationOf(call);
	if (conversation !== null) {
		const { joined_at, ended_at } = conversation;
		const over = ended_at !== null && !call.legs.some((leg) => isJoined(leg, call) && isLive(leg));
		return over
			? { status: 'completed', conversation: { joined_at, ended_at } }
			: { status: 'connected', conversation };
	}
	if (!call.legs.some(isLive)) {
		return { status: 'failed', reason: failureReason(call), ended_at: lastEnd(call) ?? new Date(nowMs).toISOString() };
	}
	return { status: call.legs.some(hasRung) ? 'ringing' : 'requested' };
}

export function isJoined(leg: Leg, call: Call): boolean {
	return leg.role === 'visitor' || leg.id === call.winner_leg_id;
}

/** Whether the leg may have rung a phone. A leg that was released before it was dialed has rung no phone. */
function wasTried({ dialed_at, cause }: Leg): boolean {
	return dialed_at !== null || cause !== 'hung_up';
}

/** Whether our own service refused to dial the leg. Such a leg has an end, but no phone rang. */
const wasDropped = (leg: Leg): boolean => leg.refused_code !== undefined && leg.dialed_at === null;

/**
 * Whether no member's phone could be dialed at all: the call's plan has no member, or our own service refused to dial each
 * member's leg.
 */
function noPhoneMayRing(call: Call): boolean {
	const agents = agentLegs(call);
	return agents.length === 0 ? call.plan.members.length === 0 : agents.every(wasDropped);
}

export function lastEnd(call: Call): string | null {
	const ends = call.legs.filter(wasTried).flatMap(({ ended_at }) => ended_at ?? []);
	return ends.sort().at(-1) ?? null;
}

const VISITOR_REASONS: { readonly [C in Exclude<EndCause, 'hung_up' | 'completed'>]: FailureReason } = {
	busy: 'visitor_busy',
	no_answer: 'visitor_no_answer',
	rejected: 'visitor_rejected',
	voicemail: 'voicemail',
	unreachable: 'number_unreachable',
	provider_error: 'provider_error',
	provider_rejected: 'provider_rejected',
};

export function failureReason(call: Call): FailureReason {
	const visitor = visitorLeg(call);
	const cause = visitor?.cause ?? null;
	// In a test call, the visitor's leg rings the phone of a team member.
	if (call.is_test && visitor !== null && wasDropped(visitor)) return 'no_agent_callable';
	if (cause !== null && cause !== 'hung_up' && cause !== 'completed') return VISITOR_REASONS[cause];
	// From here on, there are three cases: the visitor has no leg, we released the visitor's leg, or the visitor hung up
	// while waiting. If a member accepted the call, this member left first, except in one case: the visitor had already hung
	// up when the member accepted.
	const cameAt = winnerLeg(call)?.accepted_at ?? null;
	const leftBefore = cause === 'completed' && cameAt !== null && (visitor?.ended_at ?? '') < cameAt;
	if (cameAt !== null && !leftBefore) return 'agent_left';
	if (noPhoneMayRing(call)) return 'no_agent_callable';
	const causes = new Set(
		agentLegs(call)
			.filter(wasTried)
			.map((leg) => leg.cause),
	);
	if (causes.size === 1 && causes.has('provider_error')) return 'provider_error';
	if (causes.size === 1 && causes.has('provider_rejected')) return 'provider_rejected';
	return 'no_agent_answer';
}

const order: readonly CallStatus[] = ['requested', 'ringing', 'connected'];

/** Whether the status `next` comes later than `current`. No status comes after a final status. */
export function isLater(next: CallStatus, current: CallStatus): boolean {
	const from = order.indexOf(current);
	const to = order.indexOf(next);
	return from !== -1 && (to === -1 || to > from);
}

/** An event about a change of a call's status, with the data that the specification prescribes. */
export type CallEvent = {
	readonly kind: EventKind;
	readonly data: {
		readonly id: string;
		readonly workspace_id: string;
		readonly status: CallStatus;
		readonly duration_seconds: number | null;
	};
};

/**
 * The events of a change of a call's status from `before` to `after`. A change causes at most one event of each kind, and
 * the event `connected` always comes before `completed`. A test call has no events.
 */
export function eventsBetween(before: Call, after: Call): readonly CallEvent[] {
	if (before.status === after.status || after.is_test) return [];
	const { id, workspace_id, duration_seconds } = after;
	const eventOf = (kind: EventKind, status: CallStatus, seconds: number | null): CallEvent => {
		return { kind, data: { id, workspace_id, status, duration_seconds: seconds } };
	};
	const connected = eventOf('call.connected', 'connected', null);
	switch (after.status) {
		case 'requested':
			return [];
		case 'ringing':
			return [eventOf('call.ringing', 'ringing', null)];
		case 'connected':
			return [connected];
		case 'completed': {
			const completed = eventOf('call.completed', 'completed', duration_seconds);
			return before.status === 'connected' ? [completed] : [connected, completed];
		}
		case 'failed':
		case 'canceled':
			return [eventOf('call.failed', after.status, duration_seconds)];
	}
}
