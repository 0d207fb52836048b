import type { Attempt, AttemptError, Delivery, PhaseTimings } from './delivery.ts';

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

// The hint that a customer reads beside an attempt's error: what happened and what to do, without any internal address.

/** Explains an error in the receiver's TLS. */
export type TlsFault = keyof typeof TLS_HINTS;
const TLS_HINTS = {
	expired: 'The certificate of the receiver has expired; renew it.',
	not_yet_valid: 'The certificate of the receiver is not valid yet; check its dates.',
	other_name: 'The certificate of the receiver is for another host name; use one that names the host of the URL.',
	not_public: 'The certificate of the receiver is not from a public authority; use one that is.',
	no_intermediate: 'The receiver does not send its intermediate certificates; configure it with the full chain.',
	client_certificate:
		'The receiver may demand a client certificate, and webhooks have none; verify signatures instead.',
	not_tls: 'What listens at this port does not speak TLS; check the port of the URL.',
	other: 'No TLS 1.2 or 1.3 connection could be made; check the certificate and TLS settings of the receiver.',
} as const;

/** Explains every other error without a response. */
const HINTS = {
	dns_not_found: 'The host name has no address; check the spelling of the URL and its DNS records.',
	dns_failed: 'The host name could not be resolved in time; check that its name servers answer.',
	connect_refused: 'Nothing accepts connections at the host and port; start the receiver or check the port of the URL.',
	connect_timeout: 'No TLS connection within the time limit; check firewalls, and that HTTPS is served at this port.',
	timeout: 'No complete answer within the time limit; answer at once and do the work afterwards.',
	connection_reset:
		'The receiver closed the connection before its answer was complete; look for crashes and time-outs.',
	invalid_response: 'The answer is not valid HTTP/1.1, or its headers are too large; check what the receiver sends.',
	internal: 'Something went wrong on our side, not on yours; nothing is to be done.',
} as const satisfies { readonly [E in AttemptError]?: string };

/** Why there is no response. A response without success has its own error (see `judgeAnswer`). */
export type Obstacle =
	| { readonly error: keyof typeof HINTS }
	| { readonly error: 'tls_failed'; readonly fault: TlsFault }
	| { readonly error: 'target_blocked'; readonly reason: string };

/** Explains a missing response and says what to do. */
export function obstacleHint(obstacle: Obstacle): string {
	if (obstacle.error === 'tls_failed') return TLS_HINTS[obstacle.fault];
	if (obstacle.error !== 'target_blocked') return HINTS[obstacle.error];
	return `${obstacle.reason} Webhooks go to public https addresses only; change the URL or its DNS records.`;
}

/** Explains a response with a status outside 2xx. */
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

/** Seconds before each of the 14 attempts, counted from the previous one: about 72 hours in all. */
export const RETRY_SCHEDULE_SECONDS: readonly number[] = [
	0, 5, 30, 120, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 72_000, 86_400,
];

/**
 * The rate, per second, at which deliveries are replayed, so that they do not overload an endpoint that has just recovered.
 */
export const REPLAYS_PER_SECOND = 20;

/** Jitter only ever adds: an attempt is never early. */
const MAX_JITTER = 0.2;
/** The longest Retry-After that we honour. */
const MAX_RETRY_AFTER_SECONDS = 12 * 3600;

/** The three forms of an HTTP date (RFC 9110 section 5.6.7); all of them are UTC. */
const HTTP_DATES = [
	/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
	/^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
	/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
] as const;

function httpDate(text: string): number {
	if (!HTTP_DATES.some((form) => form.test(text))) return Number.NaN;
	return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

/** The seconds of a Retry-After header (RFC 9110 section 10.2.3), which has a number or a date; null if it is neither. */
export function retryAfterSeconds(header: string | undefined, now_ms: number): number | null {
	const text = header?.trim() ?? '';
	const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((httpDate(text) - now_ms) / 1000);
	return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), MAX_RETRY_AFTER_SECONDS);
}

/**
 * When to try again, in epoch milliseconds, or null at the end of the schedule. `attempt_count`: attempts so far in this schedule
 * (at least 1). `random` is in [0, 1). The later of schedule and Retry-After counts.
 */
export function nextAttemptAt(input: {
	readonly attempt_count: number;
	readonly retry_after_seconds: number | null;
	readonly now_ms: number;
	readonly random: number;
	readonly schedule_seconds: readonly number[];
}): number | null {
	const wait = input.schedule_seconds[input.attempt_count];
	if (wait === undefined) return null;
	const with_jitter = wait * (1 + MAX_JITTER * input.random);
	return input.now_ms + Math.ceil(Math.max(with_jitter, input.retry_after_seconds ?? 0) * 1000);
}
