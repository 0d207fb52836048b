import type { Clock, TimeLimit } from '../ports/clock.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** Kept of a request's time for its answer. */
const ANSWER_MS = 500;

/** By the monotonic clock: a wall clock that is set would end a request, or never. */
let endsSeconds = Infinity;

export const timeLimit: TimeLimit = {
	begins(leftMs = Infinity) {
		endsSeconds = process.uptime() + (leftMs - ANSWER_MS) / 1000;
	},
	left_ms: () => (endsSeconds - process.uptime()) * 1000,
};
