import type { FunctionName, Worker } from './function-roles.ts';

// The memory of a function also determines its share of a processor: 1,769 MB give a whole processor ("Configure Lambda
// function memory").

/** Visitors and customers wait for the functions of the API, so these get more memory than most workers. */
export const API_MEMORY_MB = 1024;

export type FunctionFacts = {
	readonly description: string;
	readonly timeout_seconds: number;
	readonly memory_mb: number;
};
/** `impact`: what a failure means for visitors or customers. An alarm shows this sentence. */
type WorkerFacts = FunctionFacts & { readonly impact: string };

/**
 * Lambda charges for memory times duration. Workers spend most of their time waiting for a provider, a receiver or the
 * table, and no client needs their result to the millisecond. Compared with 1,024 MB, a dial takes about 40 ms longer and a
 * delivery 23 ms, for a third of the price (computed from processor time on a development machine; AWS Lambda Power Tuning
 * would measure these times). Only the sweep does much work at once, and it ends before its next run. A failed hang-up is
 * soon retried.
 */
export const workerRows: Readonly<Record<Worker, WorkerFacts>> = {
	'dial-leg': {
		description: 'Asks the provider to ring one person',
		impact: 'Visitors or team members are not rung.',
		timeout_seconds: 30,
		memory_mb: 256,
	},
	'hang-up-leg': {
		description: 'Ends a leg that is still live',
		impact: 'Phones keep ringing, or lines stay open, after their call is over.',
		timeout_seconds: 12,
		memory_mb: 256,
	},
	'call-timer': {
		description: 'Looks at a call whose deadline has come',
		impact: 'Unanswered calls end late.',
		timeout_seconds: 30,
		memory_mb: 256,
	},
	'deliver-webhook': {
		description: 'Signs an event and posts it to one endpoint',
		impact: 'Customers receive events late.',
		timeout_seconds: 60,
		memory_mb: 320,
	},
	'notify-team': {
		description: 'Tells a team of a visitor who wants to be called back, or of a webhook endpoint that fails',
		impact: 'Teams hear late of visitors who want to be called back.',
		timeout_seconds: 30,
		memory_mb: 512,
	},
	sweep: {
		description: 'Processes overdue work',
		impact: 'Lost messages are not recovered until it works again.',
		timeout_seconds: 55,
		memory_mb: 1024,
	},
};

/**
 * The functions that live calls need. Executions are reserved for these functions, so that other functions of the account
 * cannot use up these executions.
 */
const CALL_FUNCTIONS: readonly FunctionName[] = [
	'receive-leg-callback',
	'instruct-leg',
	'dial-leg',
	'hang-up-leg',
	'call-timer',
];
/** The maximum of concurrent executions, for functions that wait for a customer's server or that read for a long time. */
const FEW: Readonly<Partial<Record<FunctionName, number>>> = {
	'test-webhook-endpoint': 5,
	'recover-webhook-endpoint': 2,
};

/**
 * How many executions are reserved for the function, which cannot have more concurrent executions than this number. The result
 * is `each` for a function that live calls need. If the result is undefined, the function shares the account's executions. By
 * default, nothing is reserved (`each` is undefined): AWS refuses a reservation that leaves less than 100 executions to all
 * other functions, and a new account has only 10 in all.
 */
export function reservedFor(name: FunctionName, each: number | undefined): number | undefined {
	if (each === undefined) return undefined;
	return CALL_FUNCTIONS.includes(name) ? each : FEW[name];
}
