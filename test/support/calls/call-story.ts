import type { CallInput } from '../../../shared/domain/calls/call-input.ts';
import { type CallChange, newCallRecord, nextCallRecord } from '../../../shared/domain/calls/call-record.ts';
import type { EndCause, Leg, LegFact } from '../../../shared/domain/calls/leg.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';

export const START_MS = Date.parse('2026-11-21T09:00:00.000Z');
export const CALL_ID = '01KAJQM400ABCDEFGHJKMNPQRS';

/** How many members are rung, and how. */
type Ringing = {
	readonly team: number;
	readonly strategy: Workspace['ring_strategy'];
	readonly order: Workspace['ring_order'];
};

export function requested({ team, strategy, order }: Ringing): CallChange {
	const workspace = {
		id: '01K0000000000000000000000W',
		region: 'US',
		team: Array.from({ length: team }, () => ({ phone_masked: '+1********01' })),
		ring_strategy: strategy,
		ring_order: order,
	} as unknown as Workspace;
	const page = { visitor_phone_masked: '+1********99', visitor_name: null, source_url: 'https://shop.example/' };
	return newCallRecord({ id: CALL_ID, workspace, ...page }, { now_ms: START_MS, speed: 1 });
}

/** The visitor, or a team member by position. */
export type Who = 'visitor' | number;
type Told = Partial<Omit<LegFact, 'at' | 'ringing_at' | 'answered_at' | 'accepted_at'>> & {
	/** Seconds since the request, by the provider's clock; the time of telling unless given. */
	readonly at?: number;
	readonly answered?: number;
	readonly accepted?: number;
};

/** Seconds since the call was asked for, as a time. */
export const at = (seconds: number): string => new Date(START_MS + seconds * 1000).toISOString();

/** A call told step by step; `now_s` is in seconds since its request. */
export function story(given: Partial<Ringing> = {}, speed = 1) {
	const { team = 1, strategy = 'sequential', order = 'agent_first' } = given;
	let last: CallChange = requested({ team, strategy, order });
	const decisions = [last];

	function apply(now_s: number, input: CallInput): CallChange {
		last = nextCallRecord(last.call, input, { now_ms: START_MS + now_s * 1000, speed });
		decisions.push(last);
		return last;
	}
	function legOf(who: Who): Leg {
		const leg = last.call.legs.find(({ role, member }) => (who === 'visitor' ? role === who : member === who));
		if (leg === undefined) throw new Error(`nobody has called ${who}`);
		return leg;
	}
	function tell(now_s: number, who: Who, rank: LegFact['rank'], told: Told = {}): CallChange {
		const { at: happened = now_s, answered, accepted, cause = rank === 'ended' ? 'completed' : null, ...rest } = told;
		const time = (seconds: number | undefined) => (seconds === undefined ? null : at(seconds));
		const times = { ringing_at: null, answered_at: time(answered), accepted_at: time(accepted) };
		const fact: LegFact = { provider_id: `P ${who}`, rank, at: at(happened), cause, ...times, ...rest };
		return apply(now_s, { input: 'leg_fact', leg_id: legOf(who).id, fact });
	}
	return {
		apply,
		legOf,
		tell,
		dialing: (now_s: number, who: Who) => apply(now_s, { input: 'dialing', leg_id: legOf(who).id }),
		dialAccepted: (now_s: number, who: Who) =>
			apply(now_s, { input: 'dial_accepted', leg_id: legOf(who).id, provider_id: `P ${who}` }),
		end: (now_s: number, who: Who, cause: EndCause, told: Told = {}) => tell(now_s, who, 'ended', { cause, ...told }),
		cancel: (now_s: number) => apply(now_s, { input: 'cancel' }),
		time: (now_s: number) => apply(now_s, { input: 'time', look_ups: [] }),
		call: () => last.call,
		last: () => last,
		kinds: () => decisions.flatMap(({ events }) => events.map(({ kind }) => kind)),
		/** Who has been called so far, in order. */
		rung: () => last.call.legs.map(({ role, member }): Who => (role === 'visitor' ? role : (member ?? -1))),
	};
}
export type Story = ReturnType<typeof story>;

/** Told up to a team member who has pressed 1 at 10 s, and whom the visitor's phone is dialled for. */
export function accepted(given: Parameters<typeof story>[0] = {}): Story {
	const told = story(given);
	told.dialing(0, 0);
	told.tell(2, 0, 'ringing');
	told.tell(7, 0, 'answered');
	told.tell(10, 0, 'accepted');
	told.dialing(10, 'visitor');
	return told;
}

/** Told up to both of them talking since 20 s. */
export function talking(): Story {
	const told = accepted();
	told.tell(12, 'visitor', 'ringing');
	told.tell(20, 'visitor', 'answered');
	return told;
}

/** Told up to the visitor, who is rung first, having answered at 5 s, and the first member's phone being dialled. */
export function waiting(given: { readonly team?: number } = {}): Story {
	const told = story({ ...given, order: 'visitor_first' });
	told.dialing(0, 'visitor');
	told.tell(5, 'visitor', 'answered');
	told.dialing(5, 0);
	return told;
}

/** Told up to member 0 having pressed 1 at 10 s, while member 1's phone, which is hung up then, may still ring. */
export function contested(): Story {
	const told = story({ team: 2, strategy: 'simultaneous' });
	for (const member of [0, 1]) {
		told.dialing(0, member);
		told.tell(2, member, 'ringing');
	}
	told.tell(10, 0, 'accepted', { answered: 7 });
	told.dialing(10, 'visitor');
	return told;
}
