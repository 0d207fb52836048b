import * as fc from 'fast-check';
import type { Line, Person } from '../phones/phone-world.ts';
import type { DialFate, Scenario } from './call-run.ts';

// Who may be called, and what may go wrong with it.

const outcome: fc.Arbitrary<Person['outcome']> = fc.oneof(
	{ weight: 6, arbitrary: fc.constant('answers' as const) },
	{ weight: 3, arbitrary: fc.constantFrom('busy', 'no_answer', 'rejected', 'voicemail', 'unreachable') },
);
const seconds = (min: number, max: number) =>
	fc.integer({ min: min * 10, max: max * 10 }).map((tenths) => tenths * 100);

const person: fc.Arbitrary<Person> = fc.record({
	outcome,
	rings_ms: seconds(0.1, 3),
	answers_ms: fc.oneof({ weight: 4, arbitrary: seconds(0.5, 8) }, { weight: 1, arbitrary: seconds(8, 40) }),
	presses_ms: fc.option(seconds(0.5, 9), { freq: 8 }),
	waits_ms: fc.oneof(seconds(0.2, 10), seconds(30, 200)),
	talks_ms: fc.oneof({ weight: 6, arbitrary: seconds(0, 200) }, { weight: 1, arbitrary: seconds(7000, 8000) }),
});

/** Late by up to a minute and a half, several times over, or not at all. */
export const line: fc.Arbitrary<Line> = fc.record({
	lost: fc.boolean(),
	delay_ms: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max: 90_000 })),
	copies: fc.integer({ min: 1, max: 3 }),
});
const queued: fc.Arbitrary<Line> = fc.record({
	lost: fc.integer({ min: 0, max: 5 }).map((of6) => of6 === 0),
	delay_ms: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20_000 })),
	copies: fc.integer({ min: 1, max: 2 }),
});
const fates: readonly DialFate[] = [
	'accepted',
	'accepted',
	'accepted',
	'rejected',
	'throttled',
	'unclear_and_rings',
	'unclear_and_silent',
	'killed_before',
	'killed_after',
];

const people = {
	strategy: fc.constantFrom('simultaneous', 'sequential', 'round_robin'),
	order: fc.constantFrom('agent_first', 'visitor_first'),
	team: fc.array(person, { minLength: 1, maxLength: 4 }),
	visitor: person,
	ends_tell_presses: fc.boolean(),
} as const;

/** People only: everything between them works. */
export const faultless: fc.Arbitrary<Scenario> = fc.record({
	...people,
	callbacks: fc.constant([]),
	messages: fc.constant([]),
	dials: fc.constant([]),
	lost_questions: fc.constant([]),
	unclear_look_ups: fc.constant([]),
	skew_ms: fc.constant(0),
	cancel_after_ms: fc.constant(null),
});

/** Mostly nothing of one kind, so that what goes wrong meets what goes right. */
const some = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
	fc.oneof({ weight: 2, arbitrary: fc.constant<T[]>([]) }, { weight: 1, arbitrary: fc.array(of, { maxLength: 7 }) });

/** Everything that can go wrong at once. */
export const faulty: fc.Arbitrary<Scenario> = fc.record({
	...people,
	callbacks: some(line),
	messages: some(queued),
	dials: some(fc.constantFrom(...fates)),
	lost_questions: some(fc.integer({ min: 0, max: 4 }).map((of5) => of5 === 0)),
	unclear_look_ups: some(fc.boolean()),
	skew_ms: fc.oneof(fc.constant(0), fc.integer({ min: -60_000, max: 60_000 })),
	cancel_after_ms: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: seconds(0, 200) }),
});
