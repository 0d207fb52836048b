import type { Attempt, AttemptError, Delivery, PhaseTimings } from './delivery.ts';
import { guardHint, guardOf, redirectHint, refusalHint } from './intermediary.ts';
import { FINAL_URL, statusHint } from './receiver-hint.ts';
import { nextAttemptAt, retryAfterSeconds } from './retry-schedule.ts';

type Answer = {
	readonly kind: 'response';
	readonly status: number;
	/** The headers listed in `DECISIVE_HEADERS`. Each key is the name of a header in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly timings: PhaseTimings;
};

/** What the sender reports about one POST. A failure is a normal result, and not an exception. */
export type SendResult =
	| Answer
	| { readonly kind: 'failure'; readonly error: AttemptError; readonly hint: string; readonly timings: PhaseTimings };

export type AttemptOutcome =
	| { readonly outcome: 'succeeded' }
	| { readonly outcome: 'retry'; readonly at_ms: number }
	/** The attempt failed, and the schedule has no more attempts. */
	| { readonly outcome: 'exhausted' }
	/** The receiver answered 410, because it wants no more deliveries. We disable the endpoint. */
	| { readonly outcome: 'gone' };

/** The record of an attempt. If the attempt failed, the record includes a hint for people. */
export function attemptRecord(number: number, started_at: string, result: SendResult): Attempt {
	const base = { number, started_at, timings: result.timings };
	if (result.kind === 'failure') {
		return { ...base, response_status: null, error: result.error, hint: result.hint, response_body: null };
	}
	const { error, hint } = judgeAnswer(result);
	return { ...base, response_status: result.status, error, hint, response_body: result.body };
}

/** Decides what follows from the result of an attempt. A pure function: clock, randomness and schedule are arguments. */
export function judgeAttempt(
	result: SendResult,
	delivery: Delivery,
	context: { readonly now_ms: number; readonly random: number; readonly schedule_seconds: readonly number[] },
): AttemptOutcome {
	const status = result.kind === 'response' ? result.status : null;
	const isGuarded = result.kind === 'response' && guardOf(result.headers) !== null;
	if (!isGuarded && status !== null && isSuccess(status)) return { outcome: 'succeeded' };
	if (!isGuarded && status === 410) return { outcome: 'gone' };
	const mayHaveRetryAfter = result.kind === 'response' && (status === 429 || status === 503);
	const retry_after_seconds = mayHaveRetryAfter
		? retryAfterSeconds(result.headers['retry-after'], context.now_ms)
		: null;
	const at_ms = nextAttemptAt({ ...context, attempt_count: delivery.schedule_position + 1, retry_after_seconds });
	return at_ms === null ? { outcome: 'exhausted' } : { outcome: 'retry', at_ms };
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Makes a header of unknown origin safe to show: printable ASCII, at most 200 characters. */
function printable(text: string): string {
	return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}

type Judgement =
	| { readonly error: null; readonly hint: null }
	| { readonly error: 'http_status' | 'redirect_not_followed'; readonly hint: string };

/**
 * Whether a response counts as a success. Any 2xx of the receiver is a success. A response that a guard in front of the
 * receiver marks as its own is never a success. Redirects are not followed, but the hint shows their target.
 */
export function judgeAnswer({ status, headers }: Pick<Answer, 'status' | 'headers'>): Judgement {
	const guard = guardOf(headers);
	if (guard !== null) return { error: 'http_status', hint: guardHint(guard, status) };
	if (isSuccess(status)) return { error: null, hint: null };
	if (status < 300 || status >= 400)
		return { error: 'http_status', hint: refusalHint(status, headers) ?? statusHint(status) };
	const { location } = headers;
	const to = location === undefined ? '' : ` (to ${printable(location)})`;
	const what = redirectHint(location) ?? FINAL_URL;
	return { error: 'redirect_not_followed', hint: `Redirects are not followed${to}; ${what}` };
}
