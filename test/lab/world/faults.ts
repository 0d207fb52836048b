import type { EventKind } from '../../../shared/domain/webhooks/event.ts';

/** All faults. The number is the probability that the fault happens each time it could happen. */
export const faults = {
	'a process dies before a port call': 0.004,
	'a process dies after a port call': 0.006,
	'a process stalls for minutes': 0.003,
	'the store is busy': 0.004,
	'the answer to a commit is lost': 0.006,
	'the success of a plain put is reported as refused': 0.006,
	'a queue refuses a message': 0.03,
	'a message is lost': 0.03,
	'a message is doubled': 0.06,
	'a message is late': 0.06,
	'the vault is busy': 0.01,
	'a mail fails': 0.1,
	'a dial is throttled': 0.06,
	'a dial is rejected': 0.02,
	'a dial has no answer and rings': 0.05,
	'a dial has no answer and is lost': 0.03,
	'a hang-up has no answer': 0.05,
	'a look-up has no answer': 0.1,
	'a callback is lost': 0.08,
	'a callback is doubled': 0.08,
	'a callback is late': 0.1,
	'a callback is forged': 0.03,
	'the sweep does not run': 0.05,
} as const;
/** Faults after which a process may fail, so that its work is done again. */
export const HURTS = /^(a process|the store|the answer|the success|the vault)/;
export type Fault = keyof typeof faults;

/**
 * The kinds of worlds. `rough`: every fault can happen. `calm`: none can. `bad line`: callbacks are lost, doubled and late.
 * `flood`: receivers fail and get many events.
 */
export type Kind = 'rough' | 'calm' | 'bad line' | 'flood';
export const MAY_STRIKE: Readonly<Record<Kind, RegExp>> = {
	rough: /./,
	calm: /^$/,
	flood: /^$/,
	'bad line': /^a callback/,
};

/** How a receiver fails. With the status null, it closes the connection. */
export type Failure = {
	readonly status: number | null;
	readonly retry_after: string | null;
	readonly takes_ms: number;
};
export type Span = { readonly from_ms: number; readonly to_ms: number };
export type Receiver = {
	/** How long a successful response takes. */
	readonly takes_ms: number;
	/** The periods in which the receiver accepts nothing, counted from its creation. */
	readonly down: readonly Span[];
	readonly while_down: Failure;
	/** Event types that the receiver never accepts. */
	readonly refuses: readonly EventKind[];
	readonly refusal: Failure;
};
