import type { Attempt, AttemptError, Delivery, PhaseTimings } from './delivery.ts';
import { nextAttemptAt, retryAfterSeconds } from './retry-schedule.ts';

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

function statusHint(status: number): string {
	const answer = `The receiver answered ${status}`;
	if (status === 410)
		return `${answer} Gone: it wants no more; deliveries to it stop and the endpoint is switched off.`;
	if (status === 429) return `${answer}: too much at once; the next attempt waits as long as its Retry-After asks.`;
	if (status === 401 || status === 403)
		return `${answer}: it refused the sender; verify the signature over the raw body with the current secret.`;
	if (status === 404) return `${answer}: it knows no such path; check the path of the URL.`;
	if (status === 405) return `${answer}: the path does not take POST; check the URL and its routes.`;
	if (status >= 500) return `${answer}: it failed at its end; look into its logs at this time.`;
	return `${answer}; only a 2xx counts as received. Look into its logs at this time.`;
}

/** Makes an untrusted header fit to show: printable ASCII, at most one line. */
function printable(text: string): string {
	return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}

type Judgement =
	| { readonly error: null; readonly hint: null }
	| { readonly error: 'http_status' | 'redirect_not_followed'; readonly hint: string };

/** Any 2xx is a success. We never follow a redirect, but show its target. */
export function judgeAnswer(status: number, location: string | undefined): Judgement {
	if (status >= 200 && status < 300) return { error: null, hint: null };
	if (status < 300 || status >= 400) return { error: 'http_status', hint: statusHint(status) };
	const to = location === undefined ? '' : ` (to ${printable(location)})`;
	return {
		error: 'redirect_not_followed',
		hint: `Redirects are not followed${to}; set the endpoint's URL to the final address.`,
	};
}
