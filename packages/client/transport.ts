import { ApiError, NoAnswerError, type ProblemDocument } from './errors.ts';
import { unquoted } from './unquoted.ts';

export type ClientOptions = {
	/** The address of the API, ending in /v1. */
	readonly base_url: string;
	readonly api_key: string;
	/** The time-out of one try, in milliseconds (default 30,000). */
	readonly timeout_ms?: number;
	/** How many times a request is retried (default 3). */
	readonly max_retries?: number;
	/** Used in place of the global `fetch`, for example to use a proxy. */
	readonly fetch?: typeof fetch;
};

/** Options for one call of a method. */
export type CallOptions = {
	/** Aborts the call with its waits and retries. The call then rejects with the signal's reason. */
	readonly signal?: AbortSignal;
	readonly timeout_ms?: number;
};

export type ApiRequest = CallOptions & {
	readonly method: string;
	/** The path and the query, relative to the base URL. */
	readonly path: string;
	readonly body?: unknown;
	readonly idempotency_key?: string;
	/**
	 * A resource that an earlier response of this client contained. If it has changed since that response, the API refuses the
	 * change.
	 */
	readonly if_unchanged?: object;
};

type Outcome<T> = { readonly value: T } | { readonly error: ApiError | NoAnswerError };

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 3;
/**
 * The waits between tries: exponential back-off with full jitter. Each wait is random, from 0 to a maximum. The maximum is
 * FIRST_WAIT_MS before the first retry and doubles with each further retry, up to LONGEST_WAIT_MS.
 */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;
/** The client never waits longer than this. If Retry-After is longer, the call fails, and the caller decides. */
const LONGEST_RETRY_AFTER_SECONDS = 30;

/**
 * An option that keeps frameworks from storing responses (Next 14 would freeze them at the build). It is used only if the
 * runtime knows it.
 */
const UNCACHED: Pick<RequestInit, 'cache'> = takesCacheOption() ? { cache: 'no-store' } : {};
function takesCacheOption(): boolean {
	try {
		// Cloudflare's runtime throws here, depending on its compatibility date.
		return new Request('https://api.invalid/', { cache: 'no-store' }).cache === 'no-store';
	} catch {
		return false;
	}
}

/**
 * To stop rendering a page, for example because it cannot be built statically, Next and React throw an error that has a
 * `digest`. The client passes such an error on to them.
 */
const isSignalOfFramework = (cause: unknown): boolean =>
	typeof cause === 'object' && cause !== null && 'digest' in cause;

/**
 * Sends a request and returns the body of a success. Throws `ApiError`, `NoAnswerError`, or the reason of a signal that was
 * aborted.
 */
export type Send = <T>(request: ApiRequest) => Promise<T>;

/** Sends requests with an API key, and retries them where that is safe. The key is in no error and in no property. */
export function transport(options: ClientOptions): Send {
	const baseUrl = unquoted(options.base_url).replace(/\/+$/, '');
	const apiKey = unquoted(options.api_key);
	// Without this check, fetch would throw an error that quotes the key.
	if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('api_key is empty or holds a space or line break');
	const baseUrlHint = baseUrl.endsWith('/v1') ? '' : ` (base_url is ${baseUrl}, which does not end in /v1)`;
	const ask = options.fetch ?? fetch;
	const maxRetries = options.max_retries ?? MAX_RETRIES;
	/** The ETag of each resource that was read. It is kept as long as the caller keeps the resource. */
	const etags = new WeakMap<object, string>();

	function etagOf(resource: object): string {
		const etag = etags.get(resource);
		if (etag !== undefined) return etag;
		throw new TypeError('if_unchanged: the very object that get, change or update of this client answered');
	}

	function headersOf({ body, idempotency_key: key, if_unchanged }: ApiRequest): Record<string, string> {
		const headers: Record<string, string> = { authorization: `Bearer ${apiKey}`, accept: 'application/json' };
		if (body !== undefined) headers['content-type'] = 'application/json';
		if (key !== undefined) headers['idempotency-key'] = key;
		if (if_unchanged !== undefined) headers['if-match'] = etagOf(if_unchanged);
		return headers;
	}

	async function tryOnce<T>(request: ApiRequest): Promise<Outcome<T>> {
		const timeout = AbortSignal.timeout(request.timeout_ms ?? options.timeout_ms ?? TIMEOUT_MS);
		const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
		const { method, body } = request;
		const headers = headersOf(request);
		const content = body === undefined ? {} : { body: JSON.stringify(body) };
		try {
			// This API sends no redirects, so none is followed: the key must not be sent to another host.
			const init = { method, headers, signal, redirect: 'manual', ...UNCACHED, ...content } as const;
			const response = await ask(`${baseUrl}${request.path}`, init);
			const outcome = readOutcome<T>(response, await response.text(), baseUrlHint);
			if ('value' in outcome) rememberEtag(response, outcome.value, etags);
			return outcome;
		} catch (cause) {
			request.signal?.throwIfAborted();
			if (isSignalOfFramework(cause)) throw cause;
			return { error: new NoAnswerError(timeout.aborted ? 'timeout' : 'connection_failed', cause) };
		}
	}

	async function send<T>(request: ApiRequest): Promise<T> {
		request.signal?.throwIfAborted();
		for (let retries = 0; ; retries += 1) {
			const outcome = await tryOnce<T>(request);
			if ('value' in outcome) return outcome.value;
			const { error } = outcome;
			if (retries > 0 && isRemoved(request, error)) return parseJson('');
			const waitMs = retries < maxRetries ? waitBeforeRetry(request, error, retries) : null;
			if (waitMs === null) throw error;
			await pause(waitMs, request.signal);
		}
	}
	return send;
}

function rememberEtag(response: Response, answer: unknown, etags: WeakMap<object, string>): void {
	const etag = response.headers.get('etag');
	if (etag === null || typeof answer !== 'object' || answer === null || !('data' in answer)) return;
	if (typeof answer.data === 'object' && answer.data !== null) etags.set(answer.data, etag);
}

/**
 * Whether a DELETE that was retried has already succeeded. The retry gets 404 if an earlier try deleted the resource and the
 * response of that try was lost.
 */
function isRemoved({ method }: ApiRequest, { code }: ApiError | NoAnswerError): boolean {
	return method === 'DELETE' && code === 'not_found';
}

/** `baseUrlHint` is added to the message if the URL was not found, or if something other than the API answered. */
function readOutcome<T>(response: Response, text: string, baseUrlHint: string): Outcome<T> {
	const json = parseJson(text);
	if (response.ok && json !== undefined) return { value: json };
	const problem: ProblemDocument = typeof json === 'object' && json !== null ? { ...json } : {};
	const hint = response.status === 404 || problem.code === undefined ? baseUrlHint : '';
	return { error: new ApiError(response.status, problem, response.headers, hint) };
}

/** Null if the body is empty. Undefined if it is not JSON, because a proxy has answered. */
function parseJson(text: string) {
	if (text === '') return null;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * How long to wait before the next try. Null if a retry would not help, or could make a change twice. After a 429, the API
 * has not processed the request, and after a 503 with Retry-After, it has changed nothing. So the client retries both for
 * every kind of request.
 */
function waitBeforeRetry(request: ApiRequest, error: ApiError | NoAnswerError, retries: number): number | null {
	const harmless = request.method !== 'POST' || request.idempotency_key !== undefined;
	const backoffMs = Math.random() * Math.min(FIRST_WAIT_MS * 2 ** retries, LONGEST_WAIT_MS);
	if (error instanceof NoAnswerError) return harmless ? backoffMs : null;
	const { status, code, retry_after_seconds } = error;
	const notSent = status === 429 || code === 'idempotency_conflict' || (status === 503 && retry_after_seconds !== null);
	const unclear = status === 502 || status === 503 || status === 504;
	if (!notSent && !(unclear && harmless)) return null;
	if (retry_after_seconds === null) return backoffMs;
	// Wait at least this long, and a little longer, so that throttled clients do not all return at the same time.
	return retry_after_seconds > LONGEST_RETRY_AFTER_SECONDS ? null : retry_after_seconds * 1000 + backoffMs;
}

/** Waits. Rejects with the reason of the signal if it is aborted. */
export function pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve, reject) => {
		const stop = (): void => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener('abort', stop);
			resolve();
		}, waitMs);
		if (signal?.aborted) stop();
		else signal?.addEventListener('abort', stop, { once: true });
	});
}
