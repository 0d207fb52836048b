import type { Attempt, AttemptError, Delivery, PhaseTimings } from './delivery.ts';
import { judgeAnswer } from './receiver-hint.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { nextAttemptAt } from './retry-schedule.ts';

/** The result of one POST, from the sender. An HTTP failure is a normal result. */
export type SendResult =
	| {
			readonly kind: 'response';
			readonly status: number;
			readonly headers: Readonly<Record<string, string>>;
			readonly body: string;
			readonly timings: PhaseTimings;
	  }
	| { readonly kind: 'failure'; readonly error: AttemptError; readonly hint: string; readonly timings: PhaseTimings };

/** The next state of the delivery. */
export type AttemptOutcome =
	| { readonly outcome: 'succeeded' }
	| { readonly outcome: 'retry'; readonly at_ms: number }
	/** The schedule has no more attempts. */
	| { readonly outcome: 'exhausted' }
	/** 410: the receiver wants no more deliveries; we disable the endpoint. */
	| { readonly outcome: 'gone' };

/** The record of an attempt, with a hint for people if it failed. */
export function attemptRecord(number: number, started_at: string, result: SendResult): Attempt {
	const base = { number, started_at, timings: result.timings };
	if (result.kind === 'failure') {
		return { ...base, response_status: null, error: result.error, hint: result.hint, response_body: null };
	}
	const { error, hint } = judgeAnswer(result.status, result.headers['location']);
	return { ...base, response_status: result.status, error, hint, response_body: result.body };
}

/** Decides the delivery's next state after this result. Pure: clock, randomness and schedule are arguments. */
export function judgeAttempt(
	result: SendResult,
	delivery: Delivery,
	context: { readonly now_ms: number; readonly random: number; readonly schedule_seconds: readonly number[] },
): AttemptOutcome {
	const status = result.kind === 'response' ? result.status : null;
	if (status !== null && status >= 200 && status < 300) return { outcome: 'succeeded' };
	if (status === 410) return { outcome: 'gone' };
	const mayHaveRetryAfter = result.kind === 'response' && (status === 429 || status === 503);
	const retry_after_seconds = mayHaveRetryAfter
		? retryAfterSeconds(result.headers['retry-after'], context.now_ms)
		: null;
	const at_ms = nextAttemptAt({ ...context, attempt_count: delivery.schedule_position + 1, retry_after_seconds });
	return at_ms === null ? { outcome: 'exhausted' } : { outcome: 'retry', at_ms };
}
