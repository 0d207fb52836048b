import type { FunctionName } from '../function-access.ts';

/** The functions that live calls need. No other function of the account can use the executions reserved for them. */
const CALL_FUNCTIONS: ReadonlySet<string> = new Set([
	'receive-leg-callback',
	'instruct-leg',
	'dial-leg',
	'hang-up-leg',
	'call-timer',
] satisfies FunctionName[]);
/** The maximum concurrency of functions that wait for a customer's server or read for a long time. */
const FEW: ReadonlyMap<string, number> = new Map([
	['test-webhook-endpoint', 5],
	['recover-webhook-endpoint', 2],
] satisfies [FunctionName, number][]);

export type Concurrency = ReturnType<typeof concurrencyOf>;

/**
 * Divides the account's concurrency: `each` executions for every function that live calls need. Undefined reserves nothing:
 * AWS refuses a reservation that leaves less than 100 to the other functions, and a new account has 10 in all.
 */
export function concurrencyOf(each: number | undefined) {
	return {
		/** The function's reserved executions, which are also its maximum; undefined: it shares the account's. */
		reservedFor(name: string): number | undefined {
			if (each === undefined) return undefined;
			return CALL_FUNCTIONS.has(name) ? each : FEW.get(name);
		},
		/** A queue invokes its worker at most this many times at once, because a throttled message counts as a failed try. */
		ofQueue(worker: string, usual: number): number {
			return each !== undefined && CALL_FUNCTIONS.has(worker) ? each : usual;
		},
	};
}
