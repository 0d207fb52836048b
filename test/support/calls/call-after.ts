import type { Call } from '../../../shared/domain/calls/call.ts';
import type { CallInput, LegInput } from '../../../shared/domain/calls/call-input.ts';
import {
	type CallChange,
	type CallRecord,
	newCallRecord,
	nextCallRecord,
} from '../../../shared/domain/calls/call-record.ts';
import type { EndCause, Leg, LegFact } from '../../../shared/domain/calls/leg.ts';
import { definedFields } from '../../../shared/domain/kernel/defined-fields.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { samples } from '../sample-records.ts';
import { teamOf } from './sealed-number.ts';

// Builds the record of one call from a list of inputs. Each input has its time in seconds since the request.

export const START_MS = Date.parse('2026-11-21T09:00:00.000Z');
export const CALL_ID = '01KAJQM400ABCDEFGHJKMNPQRS';
export const at = (second: number): string => new Date(START_MS + second * 1000).toISOString();
export const moment = (second: number, speed = 1) => ({ now_ms: START_MS + second * 1000, speed });

/** The visitor, or a team member by index. Member 0 has the id `m1` and was added first. */
export type Who = 'visitor' | number;
export function legOf({ legs }: Call, who: Who): Leg {
	const leg = legs.find(({ role, member }) => (who === 'visitor' ? role === who : member === `m${who + 1}`));
	if (leg === undefined) throw new Error(`no leg rings ${who}`);
	return leg;
}

export type Step = readonly [second: number, input: (call: Call) => CallInput];
export const cancel = (second: number): Step => [second, () => ({ input: 'cancel' })];
/**
 * A step in which time passes until this second. `answer`: what the provider answers when the service looks up the legs in
 * `whose`.
 */
export const passTime = (
	second: number,
	answer: 'missing' | 'unclear' = 'unclear',
	whose: readonly Who[] = [],
): Step => [
	second,
	(call) => ({ input: 'time', look_ups: whose.map((who) => ({ leg_id: legOf(call, who).id, answer })) }),
];
export const about = (second: number, who: Who, input: (legId: string) => LegInput): Step => [
	second,
	(call) => input(legOf(call, who).id),
];
export const dial = (second: number, who: Who): Step => about(second, who, (leg_id) => ({ input: 'dialing', leg_id }));

/**
 * Seconds since the request, by the provider's clock. `at`: the time that the report names (default: when the report arrives).
 * `answered`: when the phone answered. `accepted`: when the member pressed 1. The type also has two other fields of a report.
 */
type Times = { readonly at?: number; readonly answered?: number; readonly accepted?: number } & Partial<
	Pick<LegFact, 'provider_id' | 'no_channel'>
>;
type Rank = 'dialing' | 'ringing' | 'answered' | 'accepted';
/** The provider reports the rank that a leg has reached (such as `ringing`), or why the leg has ended. */
export function report(
	second: number,
	who: Who,
	what: Rank | EndCause,
	{ answered, accepted, ...more }: Times = {},
): Step {
	const iso = (seconds: number | undefined) => (seconds === undefined ? null : at(seconds));
	const isRank = what === 'dialing' || what === 'ringing' || what === 'answered' || what === 'accepted';
	const state = isRank ? ({ rank: what, cause: null } as const) : ({ rank: 'ended', cause: what } as const);
	const times = { at: at(more.at ?? second), ringing_at: null, answered_at: iso(answered), accepted_at: iso(accepted) };
	return about(second, who, (leg_id) => ({
		input: 'leg_fact',
		leg_id,
		fact: { provider_id: `P ${who}`, ...more, ...state, ...times },
	}));
}

/** Unless the test says otherwise, the team has one member, whose phone rings before the visitor's. */
export type Shop = { readonly team?: number; readonly is_test?: true } & Partial<
	Pick<Workspace, 'ring_strategy' | 'ring_order'>
>;
/** All changes of the call, starting with its request. */
export function changesAfter(
	steps: readonly Step[],
	{ team = 1, is_test, ...ringing }: Shop = {},
): readonly CallChange[] {
	const workspace = { ...samples.workspace, ring_strategy: 'sequential' as const, ...ringing, team: teamOf(team) };
	const page = {
		visitor_phone_masked: '+1********99',
		visitor_name: null,
		source_url: 'https://shop.example/',
		...definedFields({ is_test }),
	};
	let change = newCallRecord({ id: CALL_ID, workspace, ...page }, moment(0));
	const changes = [change];
	for (const [second, input] of steps) {
		change = nextCallRecord(change.call, input(change.call), moment(second));
		changes.push(change);
	}
	return changes;
}
/** The last change of the call. */
export function changeAfter(steps: readonly Step[], shop?: Shop): CallChange {
	const change = changesAfter(steps, shop).at(-1);
	if (change === undefined) throw new Error('a call begins with its request');
	return change;
}
export const callAfter = (steps: readonly Step[], shop?: Shop): CallRecord => changeAfter(steps, shop).call;

export const both: Shop = { team: 2, ring_strategy: 'simultaneous' };
export const visitorFirst: Shop = { ring_order: 'visitor_first' };
/** The member has pressed 1 at 10 s, and the visitor's phone is dialled. */
export const dialsVisitor: readonly Step[] = [
	dial(0, 0),
	report(2, 0, 'ringing'),
	report(7, 0, 'answered'),
	report(10, 0, 'accepted'),
	dial(10, 'visitor'),
];
/** Visitor and member talk from 20 s on. */
export const talking: readonly Step[] = [
	...dialsVisitor,
	report(12, 'visitor', 'ringing'),
	report(20, 'visitor', 'answered'),
];
/** With the shop `visitorFirst`: the visitor has answered at 5 s, and the first member's phone is dialled. */
export const waiting: readonly Step[] = [dial(0, 'visitor'), report(5, 'visitor', 'answered'), dial(5, 0)];
/**
 * With the shop `both`, where two members ring at the same time: member 0 has pressed 1 at 10 s. The service then hangs up on
 * member 1, whose phone may still ring.
 */
export const contested: readonly Step[] = [
	...[0, 1].flatMap((member) => [dial(0, member), report(2, member, 'ringing')]),
	report(10, 0, 'accepted', { answered: 7 }),
	dial(10, 'visitor'),
];
