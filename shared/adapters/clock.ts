import type { Clock, TimeLimit } from '../ports/clock.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** How much of a request's time is reserved for its response. */
const ANSWER_MS = 500;

/**
 * When the request's time is over, by the monotonic clock. If the wall clock were used and changed, a request might end
 * early or never.
 */
let endsSeconds = Infinity;

export const timeLimit: TimeLimit = {
	begins(leftMs = Infinity) {
		endsSeconds = process.uptime() + (leftMs - ANSWER_MS) / 1000;
	},
	left_ms: () => (endsSeconds - process.uptime()) * 1000,
};
