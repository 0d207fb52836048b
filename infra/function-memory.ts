import type { Worker } from './function-access.ts';

// Memory also determines the share of a processor: 1,769 MB give one whole processor ("Configure Lambda function memory").

/** Visitors and customers wait for these. */
export const API_MEMORY_MB = 1024;
/**
 * Workers spend most of their time waiting, and no client needs their result to the millisecond: see
 * docs/decisions/0029-workers-have-the-memory-they-use.md
 * and 0046-a-call-is-looked-at-and-written-less.md. Only the sweep does much work at once.
 */
export const workerMemoryMb = {
	'dial-leg': 256,
	'hang-up-leg': 256,
	'call-timer': 256,
	'deliver-webhook': 320,
	'notify-team': 512,
	sweep: 1024,
} as const satisfies Record<Worker, number>;
