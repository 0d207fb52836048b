import type { Clock, TimeLimit } from '../ports/clock.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** The part of a request's time that is reserved for its answer. */
const ANSWER_MS = 500;

/** By the monotonic clock: a change of the wall clock would end a request early, or never. */
let endsSeconds = Infinity;

export const timeLimit: TimeLimit = {
	begins(leftMs = Infinity) {
		endsSeconds = process.uptime() + (leftMs - ANSWER_MS) / 1000;
	},
	left_ms: () => (endsSeconds - process.uptime()) * 1000,
};
