import type { Clock, TimeLimit } from '../ports/clock.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** How much of a request's time is reserved for its response. */
const ANSWER_MS = 500;

/**
 * When the time of the current request is over, by the monotonic clock. With the wall clock, a request might end early or
 * never if that clock is changed.
 */
let endsSeconds = Infinity;

export const timeLimit: TimeLimit = {
	begins(leftMs = Infinity) {
		endsSeconds = process.uptime() + (leftMs - ANSWER_MS) / 1000;
	},
	left_ms: () => (endsSeconds - process.uptime()) * 1000,
};
