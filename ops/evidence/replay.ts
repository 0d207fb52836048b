import { readCallback } from '../../shared/adapters/telephony/call-resource.ts';
import { readReport } from '../../shared/adapters/telephony/simulator/simulator.ts';
import { readTelnyxCallback } from '../../shared/adapters/telephony/telnyx/telnyx.ts';
import { conversationOf } from '../../shared/domain/calls/call-aggregation.ts';
import type { CallInput, LegLookUp } from '../../shared/domain/calls/call-input.ts';
import { type CallRecord, nextCallRecord } from '../../shared/domain/calls/call-record.ts';
import { isLive, isReportOn, type Leg, type LegFact, learn } from '../../shared/domain/calls/leg.ts';
import { type Evidence, type LegEvidence, legEvidence, type Step, whoOf } from './evidence-file.ts';

// Replays the evidence of a call through the adapter and the state machine of today, offline.

/** Our times are those of log lines, written a moment after the decision; the provider's are whole seconds. */
const TOLERANCE_MS = 2000;
/** We count a conversation as ended when we request the hang-up; the provider ends it when it acts on that. */
const HANG_UP_MS = 15_000;

/** What was asked of us, which no decision changes. */
type CallTerms = Omit<
	Evidence['call'],
	'status' | 'failure_reason' | 'connected_at' | 'completed_at' | 'duration_seconds' | 'legs'
>;

export type Replay = {
	/** As we would decide it today. */
	readonly call: Omit<Evidence['call'], keyof CallTerms>;
	/** What we would decide otherwise today. */
	readonly differs: readonly string[];
	/** Where our outcome does not agree with what the provider said. */
	readonly disagrees: readonly string[];
};

/** The call so far, and what the provider has said of its legs. */
type Course = {
	call: CallRecord;
	readonly facts: Map<string, LegFact[]>;
	/** Answers of the provider since time last passed. */
	look_ups: LegLookUp[];
	readonly differs: string[];
};

export function replay(evidence: Evidence): Replay {
	const course: Course = { call: requestOf(evidence), facts: new Map(), look_ups: [], differs: [] };
	for (const step of evidence.steps) follow(course, step, evidence.provider);
	const { call, facts } = course;
	const { status, failure_reason, connected_at, completed_at, duration_seconds } = call;
	const today = { status, failure_reason, connected_at, completed_at, duration_seconds };
	const legs = call.legs.map(legEvidence);
	const differs = [...course.differs, ...differences(evidence.call, today, legs)];
	return { call: { ...today, legs }, differs, disagrees: disagreements(evidence, call, facts) };
}

function follow(course: Course, step: Step, provider: Evidence['provider']): void {
	const advance = (input: CallInput, speed = 1): void => {
		course.call = nextCallRecord(course.call, input, { now_ms: Date.parse(step.at), speed }).call;
	};
	if (step.step === 'cancel') advance({ input: 'cancel' });
	else if (step.step === 'time') advance({ input: 'time', look_ups: course.look_ups.splice(0) }, step.speed);
	else {
		const leg = course.call.legs.find((each) => whoOf(each) === step.who);
		if (leg !== undefined) followLeg(course, step, leg, provider, advance);
		else course.differs.push(`${step.at}: today ${step.who} would not have been called yet`);
	}
}

function followLeg(
	course: Course,
	step: LegStep,
	leg: Leg,
	provider: Evidence['provider'],
	advance: (input: CallInput) => void,
): void {
	const fact = factOf(step, provider);
	if (fact !== null) course.facts.set(leg.id, [...(course.facts.get(leg.id) ?? []), fact]);
	if (step.step === 'look_up') {
		course.look_ups.push({ leg_id: leg.id, answer: fact ?? (step.outcome === 'missing' ? 'missing' : 'unclear') });
	}
	const input = inputOf(step, leg, fact);
	if (input !== null) advance(input);
}

/** The call when it was requested. */
function requestOf({ call: { legs: _legs, reference: _reference, ...asked } }: Evidence): CallRecord {
	const nothing = { status: 'requested', failure_reason: null, connected_at: null, completed_at: null } as const;
	const blank: CallRecord = {
		...asked,
		...nothing,
		duration_seconds: null,
		workspace_id: '',
		visitor_phone_masked: '',
		legs: [],
		winner_leg_id: null,
		version: 0,
		event_count: 0,
		timer_at: null,
		due_at: null,
	};
	return nextCallRecord(blank, { input: 'time', look_ups: [] }, { now_ms: Date.parse(asked.created_at), speed: 1 })
		.call;
}

/** What the provider said in a step, as its adapter reads it today; null: nothing that we act on. */
function factOf(step: Step, provider: Evidence['provider']): LegFact | null {
	if (step.step !== 'callback' && step.step !== 'look_up') return null;
	const now_ms = Date.parse(step.at);
	if (step.step === 'look_up' || provider === 'simulator') {
		const { provider_id = '', rank: state, ...known } = step.said;
		const unknown = { ringing_at: null, answered_at: null, accepted_at: null, cause: null };
		const report = readReport({ ...unknown, ...known, provider_id, state });
		return report.received === 'fact' ? report.fact : null;
	}
	const readSaid = provider === 'telnyx' ? readTelnyxCallback : readCallback;
	const callback = readSaid(new URLSearchParams(step.said), step.asks, now_ms);
	return callback.received === 'fact' ? callback.fact : null;
}

type LegStep = Extract<Step, { who: string }>;

function inputOf(step: LegStep, leg: Leg, fact: LegFact | null): CallInput | null {
	const leg_id = leg.id;
	switch (step.step) {
		case 'dialing':
			return { input: 'dialing', leg_id };
		case 'dial':
			return dialOutcome(step, leg_id);
		case 'callback':
			return fact !== null && isReportOn(leg, fact.provider_id) ? { input: 'leg_fact', leg_id, fact } : null;
		case 'look_up':
		case 'hang_up':
			return null;
	}
}

function dialOutcome({ outcome, code, said }: Extract<Step, { step: 'dial' }>, leg_id: string): CallInput | null {
	const { phone, reason, seconds } = said;
	switch (outcome) {
		case 'accepted':
			return phone === undefined ? null : { input: 'dial_accepted', leg_id, provider_id: phone };
		case 'refused': {
			const cause = reason === 'unreachable' ? 'unreachable' : 'provider_rejected';
			return { input: 'dial_rejected', leg_id, cause, code: code ?? null };
		}
		case 'throttled':
			return { input: 'dial_throttled', leg_id, retry_after_seconds: Number(seconds ?? 1) };
		case 'dropped':
			return { input: 'dial_dropped', leg_id, code: code ?? '' };
		case 'unclear':
			return null;
	}
}

type EvidenceFields = Readonly<Record<string, unknown>>;

function differences(
	then: Evidence['call'],
	today: EvidenceFields,
	legs_today: readonly LegEvidence[],
): readonly string[] {
	const legs = new Map(legs_today.map((leg) => [leg.who, leg]));
	const absent_legs = [...legs.keys()].filter((who) => !then.legs.some((leg) => leg.who === who));
	return [
		...fieldDifferences('call', then, today),
		...then.legs.flatMap((leg) => {
			const { who: _who, ...today } = legs.get(leg.who) ?? { who: leg.who };
			return legs.has(leg.who)
				? fieldDifferences(leg.who, leg, today)
				: [`${leg.who}: was called, and would not be today`];
		}),
		...absent_legs.map((who) => `${who}: was not called, and would be today`),
	];
}

/** Each field with another value; times may differ by a moment, and durations by a second of rounding. */
function fieldDifferences(name: string, then: EvidenceFields, now: EvidenceFields): readonly string[] {
	return Object.entries(now).flatMap(([field, today]) => {
		const former = then[field];
		return isClose(former, today) ? [] : [`${name}: ${field} was ${String(former)}, today ${String(today)}`];
	});
}

function isClose(a: unknown, b: unknown): boolean {
	if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) * 1000 <= TOLERANCE_MS;
	const [a_ms, b_ms] = [Date.parse(String(a)), Date.parse(String(b))];
	return a === b || (typeof a === 'string' && Math.abs(a_ms - b_ms) <= TOLERANCE_MS);
}

/** Compares our outcome with the one that follows from the provider's reports alone, without our deadlines and hang-ups. */
function disagreements(
	{ call: ours }: Evidence,
	replayed: CallRecord,
	facts: ReadonlyMap<string, readonly LegFact[]>,
): readonly string[] {
	const silent = { ringing_at: null, answered_at: null, accepted_at: null, ended_at: null, cause: null };
	const unheard = { ...silent, rank: 'dialing', hangup_requested_at: null, throttled_until: null } as const;
	const legs = replayed.legs.map((leg) =>
		(facts.get(leg.id) ?? []).reduce<Leg>((after, fact) => learn(after, fact, fact.at), { ...leg, ...unheard }),
	);
	const open = legs.filter((leg) => isLive(leg) && facts.has(leg.id)).map(whoOf);
	const talk = conversationOf({ ...replayed, legs });
	const spoken = talk?.ended_at ? (Date.parse(talk.ended_at) - Date.parse(talk.joined_at)) / 1000 : null;
	const by_us = replayed.legs.some(({ hangup_requested_at }) => hangup_requested_at !== null);
	const tolerance_ms = by_us ? HANG_UP_MS : TOLERANCE_MS;
	const seconds = ours.duration_seconds ?? 0;
	return [
		...open.map((who) => `the provider has not said that the leg of ${who} ended`),
		...(ours.status === 'completed' && talk === null ? ['we say completed; the provider connected no two people'] : []),
		...(spoken !== null && Math.abs(spoken - seconds) * 1000 > tolerance_ms
			? [`we say ${ours.status} after ${seconds} s; the provider's reports give ${Math.floor(spoken)} s of talk`]
			: []),
	];
}
