import type * as z from 'zod/mini';
import type { Problem } from '../../contract/kernel/problem.ts';
import type { Route } from '../../contract/route.ts';
import type { Ports } from '../../ports/ports.ts';
import { type ForRequest, IdempotencyConflict } from '../../use-cases/kernel/unit-of-work.ts';
import { putResponse, type RequestKey } from './idempotency.ts';
import { Refused, SAME_REQUEST_IN_PROGRESS } from './refusals.ts';
import type { Headers, HttpRequest, RouteInput } from './request.ts';
import { etagHeader, type HttpResponse, jsonResponse, matchesEtag } from './response.ts';

/**
 * What a route's own code gets: the caller that was admitted, and the checked request. `key` is the request's
 * Idempotency-Key.
 */
export type Input<R extends Route, Caller> = RouteInput<R> & {
	readonly caller: Caller;
	readonly request: HttpRequest;
	readonly key: RequestKey | null;
};

/** A secret in a response. Only its encrypted form is stored. `putInto` puts the secret into the body of the response. */
type OneTimeSecret = { readonly sealed: string; readonly putInto: (body: string) => string };
type ResponseOf<R extends Route> = {
	readonly body: z.input<R['response']>;
	/** The id of the resource in the response, if a repeated request must get the secret of this resource again. */
	readonly resource_id?: string;
	readonly secret?: OneTimeSecret;
	readonly headers?: Headers;
};
export type RouteResult<R extends Route> = ResponseOf<R> | { readonly problem: Problem };

export type RunRead<R extends Route, Caller, D> = (input: Input<R, Caller>, deps: D) => Promise<RouteResult<R>>;

/** A route that changes something. `run` returns a result, and `respond` turns it into the response. */
export type ChangeSpec<R extends Route, Caller, D, Result> = {
	readonly deps: () => D;
	/** Also called before the result is committed, so that the response can be stored in the same transaction. */
	readonly respond: (result: Result) => RouteResult<R>;
	readonly run: (input: Input<R, Caller>, deps: D & ForRequest<Result>) => Promise<Result>;
};

/** Responds to a request with the result of `run`, which passes through the schema of the route's response. */
export function respondToRead<R extends Route, Caller, D>(route: R, run: RunRead<R, Caller, D>, deps: D) {
	return async (input: Input<R, Caller>): Promise<HttpResponse> => respond(route, await run(input, deps));
}

/**
 * Responds to a request that changes something. If the request has an Idempotency-Key and the change succeeds, the response
 * is stored together with the change.
 */
export function respondToChange<R extends Route, Caller, D extends Pick<Ports, 'clock'>, Result>(
	route: R,
	{ respond: respondTo, run }: Pick<ChangeSpec<R, Caller, D, Result>, 'respond' | 'run'>,
	deps: D,
) {
	return async (input: Input<R, Caller>): Promise<HttpResponse> => {
		const { key, request } = input;
		const changeDeps = {
			...deps,
			keepResponse: (result: Result) => {
				const response = key === null ? null : respondTo(result);
				if (key === null || response === null || 'problem' in response) return [];
				const { resource_id = null, secret } = response;
				const body = serialise(route.response, response.body);
				const storedResponse = { status: route.success, body, resource_id, sealed_secret: secret?.sealed ?? null };
				return [putResponse(key, storedResponse, deps.clock.now())];
			},
			hasSeen: (current: Result) => {
				const result = route.conditional ? respondTo(current) : null;
				return result === null || 'problem' in result || hasSeen(request, route.response, result.body);
			},
		};
		try {
			return respond(route, respondTo(await run(input, changeDeps)));
		} catch (error) {
			throw error instanceof IdempotencyConflict ? new Refused(SAME_REQUEST_IN_PROGRESS) : error;
		}
	};
}

/** Whether If-Match names the current state of the resource. True if the request has no If-Match. */
export function hasSeen<S extends z.ZodMiniType>(request: HttpRequest, response: S, resource: z.input<S>): boolean {
	const ifMatch = request.headers['if-match'];
	return ifMatch === undefined || matchesEtag(ifMatch, serialise(response, resource));
}

function respond<R extends Route>(route: R, result: RouteResult<R>): HttpResponse {
	if ('problem' in result) throw new Refused(result.problem);
	const text = serialise(route.response, result.body);
	const body = result.secret?.putInto(text) ?? text;
	return jsonResponse(route.success, body, { ...result.headers, ...etagHeader(route, body) });
}

/**
 * The text of a response. The response passes through its schema, so that no field is sent that the schema does not name.
 */
function serialise<S extends z.ZodMiniType>(response: S, body: z.input<S>): string {
	const value = response.parse(body);
	return value === null ? '' : JSON.stringify(value);
}
