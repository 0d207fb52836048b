import type { CallEvent } from '../../../shared/domain/calls/call-events.ts';
import { type CallInput, type LegLookUp, mayDial } from '../../../shared/domain/calls/call-input.ts';
import {
	type CallChange,
	type CallRecord,
	isDue,
	newCallRecord,
	nextCallRecord,
} from '../../../shared/domain/calls/call-record.ts';
import { DEADLINE_SECONDS, silentLegs } from '../../../shared/domain/calls/deadlines.ts';
import { instructionFor } from '../../../shared/domain/calls/instruction.ts';
import type { Leg } from '../../../shared/domain/calls/leg.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { type Line, type Person, phoneWorld } from '../phones/phone-world.ts';
import { agenda } from './agenda.ts';

// One call from its request to its end: the product's decisions, people who answer or do not, and every failure between
// them. No I/O, so that thousands of histories take seconds.

/** What becomes of one dial. `killed`: the dial job dies before or after the provider was asked, and its message comes again. */
export type DialFate =
	| 'accepted'
	| 'rejected'
	| 'throttled'
	| 'unclear_and_rings'
	| 'unclear_and_silent'
	| 'killed_before'
	| 'killed_after';

/** Each list is used in turn, and over again from its start. */
export type Scenario = {
	readonly strategy: Workspace['ring_strategy'];
	readonly order: Workspace['ring_order'];
	readonly team: readonly Person[];
	readonly visitor: Person;
	readonly callbacks: readonly Line[];
	readonly messages: readonly Line[];
	readonly dials: readonly DialFate[];
	readonly lost_questions: readonly boolean[];
	readonly unclear_look_ups: readonly boolean[];
	readonly skew_ms: number;
	readonly ends_tell_presses: boolean;
	readonly cancel_after_ms: number | null;
};

export const START_MS = Date.parse('2026-11-21T09:00:00.000Z');
const GIVE_UP_MS = 5 * 3600_000;
const SWEEP_MS = 60_000;
/** A conversation of two hours with a look-up every 45 s is about 700 things that happen. */
const MOST_THINGS = 5000;
export const CALL_ID = '01KAJQM400ABCDEFGHJKMNPQRS';

export type Step = {
	readonly at_ms: number;
	readonly input: CallInput;
	readonly before: CallRecord;
	readonly decision: CallChange;
};
export type CallRun = {
	readonly call: CallRecord;
	readonly first: CallChange;
	readonly steps: readonly Step[];
	readonly phones: ReturnType<typeof phoneWorld>['phones'];
	readonly told: ReturnType<typeof phoneWorld>['told'];
};

export function cycle<T>(list: readonly T[], fallback: T): () => T {
	let next = 0;
	return () => {
		const value = list[next % Math.max(1, list.length)] ?? fallback;
		next += 1;
		return value;
	};
}

export const CLEAR: Line = { lost: false, delay_ms: 0, copies: 1 };

export function requested({ team, strategy, order }: Pick<Scenario, 'team' | 'strategy' | 'order'>): CallChange {
	const workspace = {
		id: '01K0000000000000000000000W',
		region: 'US',
		team: team.map(() => ({ phone_masked: '+1********01' })),
		ring_strategy: strategy,
		ring_order: order,
	} as unknown as Workspace;
	const page = { visitor_phone_masked: '+1********99', visitor_name: null, source_url: 'https://shop.example/' };
	return newCallRecord({ id: CALL_ID, workspace, ...page }, { now_ms: START_MS, speed: 1 });
}

export function playOut(scenario: Scenario): CallRun {
	const time = agenda(START_MS);
	const first = requested(scenario);
	const steps: Step[] = [];
	const message = cycle(scenario.messages, CLEAR);
	const fate = cycle<DialFate>(scenario.dials, 'accepted');
	const questionLost = cycle(scenario.lost_questions, false);
	const unclear = cycle(scenario.unclear_look_ups, false);
	let current = first.call;

	const world = phoneWorld(
		{ ...scenario, time, line: cycle(scenario.callbacks, CLEAR) },
		{
			callback: (leg_id, fact) => apply({ input: 'leg_fact', leg_id, fact }),
			ask(leg_id, fact, told) {
				if (questionLost()) return;
				apply({ input: 'leg_fact', leg_id, fact });
				told(instructionFor(current, leg_id));
			},
		},
	);
	function send(run: () => void): void {
		const { lost, delay_ms, copies } = message();
		if (lost) return;
		for (let copy = 0; copy < copies; copy += 1) time.after(delay_ms * (copy + 1), run);
	}
	function apply(input: CallInput): void {
		const before = current;
		const decision = nextCallRecord(before, input, { now_ms: time.now(), speed: 1 });
		current = decision.call;
		steps.push({ at_ms: time.now(), input, before, decision });
		follow(decision);
	}
	function follow({ call, dial, hang_up, timer_at_ms }: CallChange): void {
		for (const { id } of dial) send(() => dialJob(id));
		for (const { provider_id } of hang_up) send(() => void world.hangUp(provider_id ?? ''));
		if (timer_at_ms !== null) {
			const { lost } = message();
			if (!lost) time.at(Math.ceil(timer_at_ms / 1000) * 1000, () => check(timer_at_ms));
		}
		if (call.due_at !== null) time.at(Date.parse(call.due_at) + SWEEP_MS, sweep);
	}
	function dialJob(leg_id: string): void {
		const leg = legOf(current, leg_id);
		if (!mayDial(leg, time.now())) return;
		apply({ input: 'dialing', leg_id });
		dialTaken(leg, fate());
	}
	function dialTaken({ id: leg_id, role, member }: Leg, dialed: DialFate): void {
		const ring_ms = 1000 * (role === 'agent' ? DEADLINE_SECONDS.agent_ring : DEADLINE_SECONDS.visitor_ring);
		const ring = () => world.dial({ leg_id, role, member, ring_ms });
		switch (dialed) {
			case 'accepted': {
				const { provider_id } = ring();
				time.after(200, () => apply({ input: 'dial_accepted', leg_id, provider_id }));
				break;
			}
			case 'rejected':
				apply({ input: 'dial_rejected', leg_id, cause: 'provider_rejected', code: '21215' });
				break;
			case 'throttled':
				apply({ input: 'dial_throttled', leg_id, retry_after_seconds: 2 });
				time.after(2000, () => dialJob(leg_id));
				break;
			case 'killed_after':
			case 'unclear_and_rings':
				ring();
				time.after(30_000, () => dialJob(leg_id));
				break;
			case 'killed_before':
			case 'unclear_and_silent':
				time.after(30_000, () => dialJob(leg_id));
		}
	}
	/** As `checkDeadlines` does; `timer_ms` is that of the message, null for the sweep. */
	function check(timer_ms: number | null): void {
		const moment = { now_ms: time.now(), speed: 1 };
		const isUnderWay = timer_ms !== null && current.timer_at === new Date(timer_ms).toISOString();
		if (!isDue(current, moment) && !isUnderWay) return;
		const looked_up = silentLegs(current, moment).map(({ id }): LegLookUp => {
			return { leg_id: id, answer: unclear() ? 'unclear' : world.lookUp(id) };
		});
		apply({ input: 'time', look_ups: looked_up });
	}
	function sweep(): void {
		const { due_at } = current;
		if (due_at === null || Date.parse(due_at) > time.now()) return;
		check(null);
		if (current.due_at !== null) time.after(SWEEP_MS, sweep);
	}

	follow(first);
	if (scenario.cancel_after_ms !== null) time.after(scenario.cancel_after_ms, () => apply({ input: 'cancel' }));
	for (let things = 0; ; things += 1) {
		const run = time.next(START_MS + GIVE_UP_MS);
		if (run === null) break;
		if (things > MOST_THINGS) throw new Error('the call goes round in circles');
		void run();
	}
	return { call: current, first, steps, phones: world.phones, told: world.told };
}

export function legOf(call: CallRecord, leg_id: string): Leg {
	const leg = call.legs.find(({ id }) => id === leg_id);
	if (leg === undefined) throw new Error('the call has no such leg');
	return leg;
}

/**
 * The same history as the service might also have come to know it: every report late, repeated or (unless it is a leg's
 * last) lost. What made the service ring somebody came when it came, or that person's phone would not have rung.
 */
export function retell(
	{ first, steps }: CallRun,
	lines: readonly Line[],
): { call: CallRecord; events: readonly CallEvent[] } {
	const line = cycle(lines, CLEAR);
	const time = agenda(START_MS);
	const events = [...first.events];
	let { call } = first;
	const apply = (input: CallInput) => () => {
		const decision = nextCallRecord(call, input, { now_ms: time.now(), speed: 1 });
		call = decision.call;
		events.push(...decision.events);
	};
	for (const { at_ms, input, before, decision } of steps) {
		if (input.input === 'time') continue;
		const rang = decision.dial.length > 0 || decision.call.winner_leg_id !== before.winner_leg_id;
		const { lost, delay_ms, copies } = input.input === 'leg_fact' && !rang ? line() : CLEAR;
		if (lost && input.input === 'leg_fact' && input.fact.rank !== 'ended') continue;
		for (let copy = 0; copy < copies; copy += 1) time.at(at_ms + delay_ms * (copy + 1), apply(input));
	}
	for (let run = time.next(Number.POSITIVE_INFINITY); run; run = time.next(Number.POSITIVE_INFINITY)) void run();
	return { call, events };
}
