import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type CallStatus, callStatuses, isTerminal } from '../../shared/domain/calls/call.ts';
import { type CallChange, type CallRecord, nextCallRecord } from '../../shared/domain/calls/call-record.ts';
import { DEADLINE_SECONDS } from '../../shared/domain/calls/deadlines.ts';
import { isLive, type Leg, legRanks } from '../../shared/domain/calls/leg.ts';
import { type CallRun, playOut, retell, START_MS, type Step } from '../support/calls/call-run.ts';
import { faultless, faulty, line } from '../support/calls/call-scenarios.ts';
import { runs } from '../support/calls/histories.ts';

// Properties of every call, for all behaviours of people and all failures. `npm run histories` runs many more.

const ms = (iso: string | null | undefined): number => (iso ? Date.parse(iso) : Number.NaN);
/** The visible facts of a call, which never change after its end. */
function shown(call: CallRecord) {
	const { status, connected_at, completed_at, duration_seconds, failure_reason, event_count } = call;
	return { status, connected_at, completed_at, duration_seconds, failure_reason, event_count };
}
const eventsOf = ({ first, steps }: CallRun) => [...first.events, ...steps.flatMap(({ decision }) => decision.events)];
const nothing = { events: [], dial: [], hang_up: [], timer_at_ms: null };
const doings = ({ events, dial, hang_up, timer_at_ms }: CallChange) => ({ events, dial, hang_up, timer_at_ms });

/** Whether a deadline ended a leg, or the call. */
function endedByDeadline({ steps }: CallRun): boolean {
	return steps.some(({ input, before, decision: { call } }) => {
		const ended = call.legs.filter(({ rank }) => rank === 'ended').length;
		return input.input === 'time' && ended + Number(isTerminal(call.status)) > endsKnown(before);
	});
}
function endsKnown({ legs, status }: CallRecord): number {
	return legs.filter(({ rank }) => rank === 'ended').length + Number(isTerminal(status));
}

describe('the record of a call', () => {
	/** By the phones alone: from both being there until the first left. */
	function truth({ phones }: CallRun): Partial<ReturnType<typeof shown>> {
		const winner = phones.find(({ role, entered }) => role === 'agent' && entered);
		const visitor = phones.find(({ role }) => role === 'visitor');
		const joined = Math.max(ms(winner?.accepted_at), ms(visitor?.answered_at));
		const ended = Math.min(ms(winner?.ended_at), ms(visitor?.ended_at));
		const iso = (at: number): string => new Date(at).toISOString();
		if (joined <= ended) {
			const duration_seconds = Math.floor((ended - joined) / 1000);
			return { status: 'completed', connected_at: iso(joined), completed_at: iso(ended), duration_seconds };
		}
		const last = Math.max(...phones.map(({ ended_at }) => ms(ended_at)));
		return { status: 'failed', connected_at: null, completed_at: iso(last), duration_seconds: 0 };
	}

	it('reports what really happened between its people', () => {
		fc.assert(
			fc.property(faultless, (scenario) => {
				const run = playOut(scenario);
				fc.pre(!endedByDeadline(run));
				expect(shown(run.call)).toMatchObject(truth(run));
			}),
			runs(),
		);
	});

	it('is the same if reports are late, repeated or lost', () => {
		fc.assert(
			fc.property(faultless, fc.array(line, { minLength: 1, maxLength: 12 }), (scenario, lines) => {
				const run = playOut(scenario);
				fc.pre(!endedByDeadline(run));
				const other = retell(run, lines);
				const { event_count: _, ...record } = shown(run.call);
				expect(shown(other.call)).toMatchObject(record);
				expectOneStory(other.events);
			}),
			runs(),
		);
	});

	it('is not changed by repeated reports', () => {
		fc.assert(
			fc.property(faulty, (scenario) => {
				for (const { input, at_ms, decision } of playOut(scenario).steps) {
					// A timer that is due at that moment counts as gone, and is set again.
					const isTimerDue = ms(decision.call.timer_at) === at_ms + 1;
					if (input.input !== 'leg_fact' || isTimerDue) continue;
					const again = nextCallRecord(decision.call, input, { now_ms: at_ms + 1, speed: 1 });
					expect(again.call).toBe(decision.call);
					expect(doings(again)).toEqual(nothing);
				}
			}),
			runs(1 / 4),
		);
	});
});

/** Each kind at most once, connected before completed, one end, nothing after it. */
function expectOneStory(events: CallChange['events']): void {
	const kinds = events.map(({ kind }) => kind);
	expect(new Set(kinds).size).toBe(kinds.length);
	expect(kinds[0]).toBe('call.requested');
	const ends = kinds.filter((kind) => kind === 'call.completed' || kind === 'call.failed');
	expect(ends).toEqual([kinds.at(-1)]);
	if (kinds.includes('call.completed')) expect(kinds).toContain('call.connected');
}

/** What moved backwards in a step: a status, a visible fact after the end, the winner, a fact of a leg. */
function backwards({ before, decision: { call } }: Step): readonly string[] {
	const over = isTerminal(before.status) && JSON.stringify(shown(call)) !== JSON.stringify(shown(before));
	const won = before.winner_leg_id !== null && call.winner_leg_id !== before.winner_leg_id;
	return [
		...(callStatuses.indexOf(call.status) < callStatuses.indexOf(before.status) ? ['status'] : []),
		...(over ? ['end'] : []),
		...(won ? ['winner'] : []),
		...before.legs.flatMap((leg) =>
			forgotten(
				leg,
				call.legs.find(({ id }) => id === leg.id),
			),
		),
	];
}

function forgotten(before: Leg, after: Leg | undefined): readonly string[] {
	if (after === undefined) return ['leg'];
	const times = (['ringing_at', 'answered_at', 'accepted_at', 'ended_at'] as const).filter(
		(time) => before[time] !== null && !(ms(after[time]) <= ms(before[time])),
	);
	const lower = legRanks.indexOf(after.rank) < legRanks.indexOf(before.rank);
	const renamed = before.provider_id !== null && after.provider_id !== before.provider_id;
	return [...times, ...(lower ? ['rank'] : []), ...(renamed ? ['provider_id'] : [])];
}

describe('a call in which everything fails', () => {
	it('only moves forward, emits consistent events, and rings each person once', () => {
		fc.assert(
			fc.property(faulty, (scenario) => {
				const run = playOut(scenario);
				expect(run.steps.flatMap(backwards)).toEqual([]);
				expectOneStory(eventsOf(run));
				expect(run.call.event_count).toBe(eventsOf(run).length);
				const rung = run.phones.map(({ role, member }) => `${role} ${member}`);
				expect(new Set(rung).size).toBe(rung.length);
			}),
			runs(),
		);
	});

	it('announces each status with the duration that belongs to it', () => {
		const announced: Readonly<Record<string, readonly CallStatus[]>> = {
			'call.requested': ['requested'],
			'call.ringing': ['ringing'],
			'call.connected': ['connected'],
			'call.completed': ['completed'],
			'call.failed': ['failed', 'canceled'],
		};
		fc.assert(
			fc.property(faulty, (scenario) => {
				const run = playOut(scenario);
				const { id, workspace_id, status, duration_seconds } = run.call;
				for (const { kind, data } of eventsOf(run)) {
					expect(announced[kind]).toContain(data.status);
					const final = isTerminal(data.status);
					expect(data).toEqual({
						id,
						workspace_id,
						status: final ? status : data.status,
						duration_seconds: final ? duration_seconds : null,
					});
				}
			}),
			runs(1 / 4),
		);
	});

	it('has consistent times, for all differences between clocks', () => {
		fc.assert(
			fc.property(faulty, (scenario) => {
				const { status, created_at, connected_at, completed_at, duration_seconds, failure_reason } =
					playOut(scenario).call;
				const began = connected_at ?? created_at;
				expect(ms(completed_at)).toBeGreaterThanOrEqual(ms(began));
				const spoke = status === 'completed';
				expect([connected_at !== null, failure_reason === null]).toEqual([spoke, spoke]);
				expect(duration_seconds).toBe(spoke ? Math.floor((ms(completed_at) - ms(connected_at)) / 1000) : 0);
			}),
			runs(1 / 4),
		);
	});
});

describe('the deadlines of a call', () => {
	const setUp = DEADLINE_SECONDS.set_up * 1000;
	const conversation = DEADLINE_SECONDS.conversation * 1000;
	/** The clocks of the histories are up to a minute apart, and messages come in whole seconds. */
	const slack = 61_000;
	const endOf = ({ steps }: CallRun): number =>
		steps.find(({ decision }) => isTerminal(decision.call.status))?.at_ms ?? Number.POSITIVE_INFINITY;
	const connected = (run: CallRun): boolean => eventsOf(run).some(({ kind }) => kind === 'call.connected');

	it('end it in time, for all missing reports of the provider', () => {
		fc.assert(
			fc.property(faulty, (scenario) => {
				const run = playOut({ ...scenario, messages: [] });
				const limit = connected(run) ? setUp + conversation + slack : setUp + 1000;
				expect(endOf(run) - START_MS).toBeLessThanOrEqual(limit);
			}),
			runs(),
		);
	});

	it('are kept by the sweep when every message is lost', () => {
		fc.assert(
			fc.property(faulty, fc.integer({ min: 0, max: 12 }), (scenario, lost_after) => {
				const late = (position: number) => ({ lost: position >= lost_after, delay_ms: 0, copies: 1 });
				const messages = Array.from({ length: 500 }, (_, position) => late(position));
				const run = playOut({ ...scenario, messages });
				const sweep = 120_000;
				const limit = connected(run) ? setUp + conversation + slack + sweep : setUp + sweep;
				expect(endOf(run) - START_MS).toBeLessThanOrEqual(limit);
			}),
			runs(1 / 2),
		);
	});

	it('leave no leg open: every phone has hung up within a minute of the end', () => {
		fc.assert(
			fc.property(faulty, (scenario) => {
				const run = playOut({ ...scenario, messages: [], unclear_look_ups: [] });
				const last = Math.max(START_MS, ...run.phones.map(({ ended_at }) => ms(ended_at) - scenario.skew_ms));
				expect(last - endOf(run)).toBeLessThanOrEqual(60_000);
			}),
			runs(),
		);
	});

	it('leave no timer and no leg behind', () => {
		fc.assert(
			fc.property(faulty, (scenario) => {
				const { call } = playOut(scenario);
				expect(call.legs.filter(isLive)).toEqual([]);
				expect([call.timer_at, call.due_at]).toEqual([null, null]);
			}),
			runs(1 / 2),
		);
	});
});

describe('cancelling a call', () => {
	const cancelAt = ({ before, at_ms }: Step) =>
		nextCallRecord(before, { input: 'cancel' }, { now_ms: at_ms, speed: 1 });
	/** The result if the canceled call still gets the remaining reports. */
	function restOf(run: CallRun, index: number, canceled: CallChange): CallChange[] {
		let { call } = canceled;
		return run.steps.slice(index).map(({ input, at_ms }) => {
			const decision = nextCallRecord(call, input, { now_ms: at_ms, speed: 1 });
			call = decision.call;
			return decision;
		});
	}

	it('at any moment ends it at once and for good, and hangs up every phone', () => {
		fc.assert(
			fc.property(faultless, fc.nat(), (scenario, pick) => {
				const run = playOut(scenario);
				const index = pick % run.steps.length;
				const canceled = cancelAt(run.steps[index] as Step);
				fc.pre(!isTerminal((run.steps[index] as Step).before.status));
				const open = canceled.call.legs.filter((leg) => isLive(leg) && leg.hangup_requested_at === null);
				expect([isTerminal(canceled.call.status), canceled.dial, open]).toEqual([true, [], []]);
				const rest = restOf(run, index, canceled);
				expect(shown(rest.at(-1)?.call ?? canceled.call)).toEqual(shown(canceled.call));
				expect(rest.flatMap(({ events, dial }) => [...events, ...dial])).toEqual([]);
			}),
			runs(1 / 2),
		);
	});

	it('before a conversation cancels it, during one completes it with the time until now, after it changes nothing', () => {
		fc.assert(
			fc.property(faultless, (scenario) => {
				for (const step of playOut(scenario).steps) {
					const { before, at_ms } = step;
					const { call, events, ...rest } = cancelAt(step);
					const [event] = events;
					const told = [events.length, event?.kind, event?.data.status, event?.data.duration_seconds];
					if (isTerminal(before.status)) {
						expect([call === before, events.length, rest.dial.length, rest.hang_up.length]).toEqual([true, 0, 0, 0]);
					} else if (before.status !== 'connected') {
						expect(told).toEqual([1, 'call.failed', 'canceled', 0]);
						expect(call.connected_at).toBeNull();
					} else if (before.legs.filter(isLive).length === 2) {
						const seconds = Math.floor((at_ms - ms(before.connected_at)) / 1000);
						expect(told).toEqual([1, 'call.completed', 'completed', seconds]);
					}
				}
			}),
			runs(1 / 6),
		);
	});
});
