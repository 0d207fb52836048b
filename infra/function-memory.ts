import type { Worker } from './function-access.ts';

// Memory decides the share of a processor, too: 1,769 MB are one whole ("Configure Lambda function memory").

/** Visitors and customers wait for these. */
export const API_MEMORY_MB = 1024;
/**
 * Workers wait for others most of their time, and no client waits for them to the millisecond: see
 * docs/decisions/0029-workers-have-the-memory-they-use.md. The sweep alone has much to do at once.
 */
export const workerMemoryMb = {
	'dial-leg': 512,
	'hang-up-leg': 256,
	'call-timer': 256,
	'deliver-webhook': 512,
	'notify-team': 512,
	sweep: 1024,
} as const satisfies Record<Worker, number>;
