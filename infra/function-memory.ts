import type { Worker } from './function-access.ts';

/** Memory decides the share of a processor, too: 1,769 MB are one whole. */
export const API_MEMORY_MB = 1024;
export const workerMemoryMb = {
	'dial-leg': 1024,
	'hang-up-leg': 1024,
	'call-timer': 1024,
	'deliver-webhook': 1024,
	'notify-team': 512,
	sweep: 1024,
} as const satisfies Record<Worker, number>;
