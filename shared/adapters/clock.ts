import type { Clock, TimeLimit } from '../ports/clock.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** How much of a request's time is reserved for its response. */
const ANSWER_MS = 500;

/**
 * The end of the current request's time, by the monotonic clock. If we used the wall clock and that clock was changed, a
 * request might end too early, or never.
 */
let endsSeconds = Infinity;

export const timeLimit: TimeLimit = {
	begins(leftMs = Infinity) {
		endsSeconds = process.uptime() + (leftMs - ANSWER_MS) / 1000;
	},
	left_ms: () => (endsSeconds - process.uptime()) * 1000,
};
