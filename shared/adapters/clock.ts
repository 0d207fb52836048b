import type { Clock, TimeLimit } from '../ports/clock.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** Kept of a request's time for its answer. */
const ANSWER_MS = 500;

/** By the monotonic clock: a wall clock that is set would end a request, or never. */
let ends_s = Infinity;

export const timeLimit: TimeLimit = {
	begins(left_ms = Infinity) {
		ends_s = process.uptime() + (left_ms - ANSWER_MS) / 1000;
	},
	left_ms: () => (ends_s - process.uptime()) * 1000,
};
