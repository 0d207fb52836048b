import middy from '@middy/core';
import type { Problem } from '../../contract/kernel/problem.ts';
import type { Route } from '../../contract/route.ts';
import type { TimeLimit } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { errorFields, type LogFields } from '../../ports/log-redaction.ts';
import { QueueBusy } from '../../ports/queues.ts';
import { StoreBusy } from '../../ports/store.ts';
import { VaultBusy } from '../../ports/vault.ts';
import { type EdgeProblem, Refused, retryAfter } from './refusals.ts';
import { type Headers, type HttpRequest, type RequestEvent, readRequest } from './request.ts';
import { deprecationHeaders, type HttpResponse } from './response.ts';
import { subjectOf } from './subject-of.ts';

/**
 * A request, with what every response to it needs: the headers of the response, and the fields of the request's log line.
 */
export type RequestContext = {
	readonly request: HttpRequest;
	/**
	 * When the request began, by the process's monotonic clock. `performance` is not used, because loading it would take 2 ms
	 * of a cold start.
	 */
	readonly started_s: number;
	/** Headers that the response gets even if it is a refusal: the CORS headers, and what is left of the client's limits. */
	headers: Headers;
	/** Further fields of the log line, such as the ids of the workspace and of the API key. Each step adds what it learns. */
	about: LogFields;
	code: EdgeProblem['code'] | null;
	reason: string | null;
};

/** The remaining time is all that we read of Lambda's context. */
type InvocationContext = { readonly getRemainingTimeInMillis?: () => number };
export type EdgeHandler = (event: RequestEvent, context: InvocationContext) => Promise<HttpResponse>;

/** This type is needed because middy's own type requires a whole Lambda context. */
type Runner = { run(exchange: RequestContext, context: InvocationContext): Promise<HttpResponse> };

type OwnDeps = { readonly log: Log; readonly time_limit?: TimeLimit };

/** Thrown if the function's time is almost over and there is no response yet. */
class OutOfTime extends Error {
	override readonly name = 'OutOfTime';
}

/**
 * If Lambda ends a function, the gateway answers 500, without a code and without CORS headers. So the function itself
 * answers a little earlier.
 */
const IN_TIME = {
	timeoutEarlyInMillis: 250,
	timeoutEarlyResponse: () => {
		throw new OutOfTime('no answer in time');
	},
};

/**
 * Adds to `respond` what every route has: a log line, the headers of every response, and a response to every error.
 * `refuse` turns a refusal into a response: JSON for programs, a page for people.
 */
export function edge(
	route: LoggedRoute,
	{ log, time_limit }: OwnDeps,
	refuse: (problem: EdgeProblem, request: HttpRequest) => HttpResponse,
	respond: (exchange: RequestContext) => Promise<HttpResponse>,
): EdgeHandler {
	const around: Runner = {
		run: middy<RequestContext, HttpResponse>(IN_TIME)
			.use(logResponse(route, log))
			.use(errorResponses(route.operation, log, refuse))
			.handler(respond),
	};
	return (event, context) => {
		const request = readRequest(event);
		time_limit?.begins(context.getRemainingTimeInMillis?.());
		return around.run(
			{ request, started_s: process.uptime(), headers: {}, about: {}, code: null, reason: null },
			context,
		);
	};
}

/**
 * These headers make browsers use only https for a year (RFC 6797; ignored on plain http), and keep them from guessing
 * content types.
 */
const EVERY_RESPONSE = {
	'strict-transport-security': 'max-age=31536000',
	'x-content-type-options': 'nosniff',
} as const;

type LoggedRoute = Pick<Route, 'operation' | 'deprecated' | 'quiet'> & Partial<Pick<Route, 'path'>>;

/**
 * Adds the request's id, the headers of the request's context and those of the route to every response, and writes one log line
 * for the request. On a quiet route, only refusals are logged.
 */
export function logResponse(
	{ operation, path, deprecated, quiet }: LoggedRoute,
	log: Log,
): middy.MiddlewareObj<RequestContext, HttpResponse> {
	const ofRoute = { ...deprecationHeaders(deprecated), ...EVERY_RESPONSE };
	const finish: middy.MiddlewareFn<RequestContext, HttpResponse> = (run) => {
		if (run.response === null || run.response === undefined) return;
		run.response = onTheWire(run.response, run.event, ofRoute);
		const { request, started_s, about, code, reason } = run.event;
		if (quiet && run.response.statusCode < 400) return;
		log.info('response', {
			request_id: request.id,
			operation,
			status: run.response.statusCode,
			duration_ms: Math.round((process.uptime() - started_s) * 1000),
			...(code !== null && { code }),
			...(reason !== null && { reason }),
			...about,
			...(path !== undefined && subjectOf(path, request, run.response)),
		});
	};
	return { name: 'log-answer', after: finish, onError: finish };
}

/** The response as it is sent. HEAD has the headers of GET and no body (RFC 9110 section 9.3.2). */
function onTheWire(response: HttpResponse, { request, headers }: RequestContext, ofRoute: Headers): HttpResponse {
	const all = { ...headers, ...response.headers, ...ofRoute, 'x-request-id': request.id };
	const { body, ...head } = { ...response, headers: all };
	return request.method === 'HEAD' || body === undefined ? head : { ...head, body };
}

/**
 * Turns an error into a response. The response contains no internal detail. With the id of the request, the failure can be
 * found in the log.
 */
export function errorResponses(
	operation: string,
	log: Log,
	refuse: (problem: EdgeProblem, request: HttpRequest) => HttpResponse,
): middy.MiddlewareObj<RequestContext, HttpResponse> {
	return {
		name: 'answer-errors',
		onError: (run) => {
			const { error, event: exchange } = run;
			const { id: request_id } = exchange.request;
			const problem =
				error instanceof Refused
					? error.problem
					: problemOf(error, { request_id, operation }, exchange.request.method, log);
			exchange.code = problem.code;
			exchange.reason = problem.reason ?? null;
			run.response = refuse(problem, exchange.request);
		},
	};
}

/**
 * What the client is told after a change has failed. The change may have been made before the failure, or by an earlier
 * request whose response was lost.
 */
const NOT_KNOWN =
	'It is not known whether this was done. Repeat the request with the same Idempotency-Key; without one, read first.';

const isBusy = (error: unknown): boolean =>
	[StoreBusy, VaultBusy, QueueBusy, OutOfTime].some((busy) => error instanceof busy);

/** The log gets the class of the error and the place where it was thrown. The client gets a code. */
function problemOf(
	error: Error | null | undefined,
	about: { readonly request_id: string; readonly operation: string },
	method: string,
	log: Log,
): Problem {
	if (isBusy(error)) {
		log.warn('busy', { ...about, ...errorFields(error) });
		const onlyReads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
		const detail = onlyReads ? 'Please try again.' : NOT_KNOWN;
		return { code: 'service_busy', detail, headers: retryAfter(1) };
	}
	log.error('unexpected', { ...about, ...errorFields(error) });
	return { code: 'internal_error', detail: 'The request id helps us find the cause.' };
}
