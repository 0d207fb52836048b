import type { LegInstruction, LegReport } from '../../shared/adapters/telephony/simulator/simulator.ts';
import type { EndCause, LegRole } from '../../shared/domain/calls/leg.ts';
import type { Sentence } from '../../shared/domain/calls/spoken.ts';
import { type Script, type ScriptMoment, SECONDS_UNTIL } from './scripts.ts';

// A leg in the simulated network, and how it changes. The functions are pure: they depend only on the leg and the time.

export type Parcel = {
	readonly number: number;
	readonly report: LegReport;
	readonly tries: number;
	readonly due_ms: number;
	readonly give_up_ms: number;
};
type Step = { readonly at_ms: number } & (
	| { readonly does: 'ring' | 'answer' | 'press_1' }
	| { readonly does: 'end'; readonly cause: EndCause }
);

/** A leg as the state file stores it. The stored leg contains no phone number. */
export type NetworkLeg = {
	readonly provider_id: string;
	readonly leg_id: string;
	readonly call_id: string;
	readonly role: LegRole;
	readonly callback_base: string;
	readonly leg_path: string;
	readonly number_masked: string;
	/** The number that the phone shows as the caller. Null if the phone shows the network's own number. */
	readonly from: string | null;
	/** A text that stands for the number. Two legs with the same number have the same text. */
	readonly person: string;
	readonly script: Script;
	readonly ring_seconds: number;
	readonly state: 'dialing' | 'ringing' | 'answered' | 'accepted' | 'ended';
	readonly changed_ms: number;
	readonly ringing_at: string | null;
	readonly answered_at: string | null;
	readonly accepted_at: string | null;
	readonly cause: EndCause | null;
	readonly heard: Sentence | null;
	readonly in_conference: boolean;
	readonly joined: boolean;
	readonly next: Step | null;
	readonly parcels: number;
	/** A request for instructions that the stack has not answered yet. Null if there is none. */
	readonly question: Parcel | null;
	readonly outbox: readonly Parcel[];
	/** Callbacks that the script holds back until the leg has ended. */
	readonly held: readonly LegReport[];
};

/** The current time in milliseconds, and how many milliseconds a second of the network's clock takes. */
export type Time = { readonly now_ms: number; readonly second_ms: number };

const GIVE_UP_REPORT_MS = 120_000;
const GIVE_UP_QUESTION_MS = 30_000;
/** The time between callbacks that are sent in reverse order, so that they arrive in that order. */
const REVERSED_GAP_MS = 50;
const iso = (ms: number): string => new Date(ms).toISOString();
const after = (time: Time, seconds: number): number => time.now_ms + seconds * time.second_ms;

type DialInput = Pick<
	NetworkLeg,
	| 'provider_id'
	| 'leg_id'
	| 'call_id'
	| 'role'
	| 'callback_base'
	| 'leg_path'
	| 'number_masked'
	| 'from'
	| 'person'
	| 'script'
	| 'ring_seconds'
>;

export function placeLeg(input: DialInput, time: Time): NetworkLeg {
	const { rings, outcome } = input.script;
	const first: Step = rings
		? { does: 'ring', at_ms: after(time, SECONDS_UNTIL.setup) }
		: {
				does: 'end',
				cause: outcome === 'busy' ? 'busy' : 'unreachable',
				at_ms: after(time, SECONDS_UNTIL.unreachable),
			};
	return {
		...input,
		state: 'dialing',
		changed_ms: time.now_ms,
		ringing_at: null,
		answered_at: null,
		accepted_at: null,
		cause: null,
		heard: null,
		in_conference: false,
		joined: false,
		next: first,
		parcels: 0,
		question: null,
		outbox: [],
		held: [],
	};
}

export function afterStep(leg: NetworkLeg, time: Time): NetworkLeg {
	const step = leg.next;
	if (step === null) return leg;
	const at = iso(time.now_ms);
	const base = { ...leg, next: null, changed_ms: time.now_ms };
	switch (step.does) {
		case 'ring': {
			const next = stepAfterRinging(leg, time);
			return withReport({ ...base, state: 'ringing', ringing_at: at, next }, time);
		}
		case 'answer': {
			const answeredLeg = withReport({ ...base, state: 'answered', answered_at: at }, time);
			return asking(leaving(answeredLeg, 'answering', time), time);
		}
		case 'press_1': {
			const acceptedLeg = withReport({ ...base, state: 'accepted', accepted_at: at }, time);
			return asking(leaving(acceptedLeg, 'accepting', time), time);
		}
		case 'end':
			return endNetworkLeg(leg, step.cause, time);
	}
}

function stepAfterRinging({ script, role, ring_seconds }: NetworkLeg, time: Time): Step {
	const givesUp: Step = { does: 'end', cause: 'no_answer', at_ms: after(time, ring_seconds) };
	if (script.outcome === 'rings_on' || ring_seconds < SECONDS_UNTIL.ring) return givesUp;
	const at_ms = after(time, SECONDS_UNTIL.ring);
	// The network does not detect the voicemail of a team member. The voicemail answers and presses no key.
	if (script.outcome === 'answers' || (script.outcome === 'voicemail' && role === 'agent'))
		return { does: 'answer', at_ms };
	return { does: 'end', cause: script.outcome, at_ms };
}

export function afterInstruction(leg: NetworkLeg, instruction: LegInstruction, time: Time): NetworkLeg {
	const withoutQuestion = { ...leg, question: null };
	switch (instruction.do) {
		case 'screen': {
			const presses =
				leg.script.presses_1 && leg.script.outcome === 'answers' && instruction.prompt_seconds >= SECONDS_UNTIL.press;
			const next: Step = presses
				? { does: 'press_1', at_ms: after(time, SECONDS_UNTIL.press) }
				: { does: 'end', cause: 'completed', at_ms: after(time, instruction.prompt_seconds) };
			return { ...withoutQuestion, heard: instruction.say, next };
		}
		case 'wait':
			return { ...withoutQuestion, heard: instruction.say, in_conference: true };
		case 'join':
			return { ...withoutQuestion, in_conference: true };
		case 'hang_up':
			return endNetworkLeg(withoutQuestion, 'hung_up', time);
	}
}

/** The leg after another leg has joined its conference. */
export function afterJoin(leg: NetworkLeg, time: Time): NetworkLeg {
	return leaving({ ...leg, joined: true }, 'joining', time);
}

/** Ends the leg. If the leg has ended before, the first cause stays. */
export function endNetworkLeg(leg: NetworkLeg, cause: EndCause, time: Time): NetworkLeg {
	if (leg.state === 'ended') return leg;
	const over: NetworkLeg = { ...leg, state: 'ended', cause, changed_ms: time.now_ms, next: null, question: null };
	return withReport({ ...over, in_conference: false, joined: false }, time);
}

function leaving(leg: NetworkLeg, moment: ScriptMoment, time: Time): NetworkLeg {
	const { leaves } = leg.script;
	if (leaves === null || leaves.role !== leg.role || leaves.after !== moment) return leg;
	return { ...leg, next: { does: 'end', cause: 'completed', at_ms: after(time, leaves.seconds) } };
}

export function reportOf(leg: NetworkLeg): LegReport {
	const { provider_id, state, ringing_at, answered_at, accepted_at, cause } = leg;
	return { provider_id, state, at: iso(leg.changed_ms), ringing_at, answered_at, accepted_at, cause };
}

function asking(leg: NetworkLeg, time: Time): NetworkLeg {
	const { now_ms: due_ms } = time;
	const give_up_ms = due_ms + GIVE_UP_QUESTION_MS;
	const question = { number: leg.parcels, report: reportOf(leg), tries: 0, due_ms, give_up_ms };
	return { ...leg, parcels: leg.parcels + 1, question };
}

function sending(leg: NetworkLeg, report: LegReport, due_ms: number): NetworkLeg {
	const parcel = { number: leg.parcels, report, tries: 0, due_ms, give_up_ms: due_ms + GIVE_UP_REPORT_MS };
	return { ...leg, parcels: leg.parcels + 1, outbox: [...leg.outbox, parcel] };
}

/** Adds a callback about the leg's current state, in the way that the script says: at once, twice, later, or not at all. */
function withReport(leg: NetworkLeg, { now_ms }: Time): NetworkLeg {
	const report = reportOf(leg);
	const over = leg.state === 'ended';
	switch (leg.script.callbacks) {
		case 'in_order':
			return sending(leg, report, now_ms);
		case 'all_but_the_last':
			return over ? leg : sending(leg, report, now_ms);
		case 'none':
			return leg;
		case 'reversed_and_doubled': {
			const heldReports = [...leg.held, report];
			if (!over) return { ...leg, held: heldReports };
			const latestFirst = heldReports.reverse();
			const twice = (sender: NetworkLeg, each: LegReport, position: number): NetworkLeg => {
				const dueMs = now_ms + position * REVERSED_GAP_MS;
				return sending(sending(sender, each, dueMs), each, dueMs);
			};
			return latestFirst.reduce(twice, { ...leg, held: [] });
		}
	}
}
