import type * as z from 'zod/mini';
import type { Problem } from '../contract/kernel/problem.ts';
import type { Route } from '../contract/route.ts';
import type { Ports } from '../ports/ports.ts';
import { AnsweredMeanwhile, type Answering } from '../use-cases/kernel/unit-of-work.ts';
import { keepAnswer, type RequestKey } from './idempotency.ts';
import { Refused, SAME_REQUEST_IN_PROGRESS } from './refusals.ts';
import type { Headers, HttpRequest, RouteInput } from './request.ts';
import { etagHeader, type HttpResponse, jsonResponse, matchesEtag } from './response.ts';

/** The input of a route's own code: the admitted caller, and the parsed request. `key`: its Idempotency-Key. */
export type Input<R extends Route, Caller> = RouteInput<R> & {
	readonly caller: Caller;
	readonly request: HttpRequest;
	readonly key: RequestKey | null;
};

/** A secret in a response, which is stored sealed only; `putInto` puts it into the response's body. */
type OneTimeSecret = { readonly sealed: string; readonly putInto: (body: string) => string };
type Answer<R extends Route> = {
	readonly answer: z.input<R['response']>;
	/** The resource in the answer, if a repeated request has to get its secret again. */
	readonly resource_id?: string;
	readonly secret?: OneTimeSecret;
	readonly headers?: Headers;
};
export type Reply<R extends Route> = Answer<R> | { readonly problem: Problem };

/** The code of a route that reads. */
export type Read<R extends Route, Caller, D> = (input: Input<R, Caller>, deps: D) => Promise<Reply<R>>;

/** A route that changes something: `run` returns a result, and `answer` turns it into the reply. */
export type ChangeSpec<R extends Route, Caller, D, Result> = {
	readonly deps: () => D;
	/** Also called before the result is committed, so that the same transaction can store the reply. */
	readonly answer: (result: Result) => Reply<R>;
	readonly run: (input: Input<R, Caller>, deps: D & Answering<Result>) => Promise<Result>;
};

/** Answers a request with the reply of `run`, through the response schema of its route. */
export function answerRead<R extends Route, Caller, D>(route: R, run: Read<R, Caller, D>, deps: D) {
	return async (input: Input<R, Caller>): Promise<HttpResponse> => respond(route, await run(input, deps));
}

/** Answers a request with a change. If the request has an Idempotency-Key, the change stores the response. */
export function answerChange<R extends Route, Caller, D extends Pick<Ports, 'clock'>, Result>(
	route: R,
	{ answer, run }: Pick<ChangeSpec<R, Caller, D, Result>, 'answer' | 'run'>,
	deps: D,
) {
	return async (input: Input<R, Caller>): Promise<HttpResponse> => {
		const { key, request } = input;
		const changeDeps = {
			...deps,
			keepAnswer: (result: Result) => {
				const reply = key === null ? null : answer(result);
				if (key === null || reply === null || 'problem' in reply) return [];
				const { resource_id = null, secret } = reply;
				const body = serialise(route.response, reply.answer);
				const stored_answer = { status: route.success, body, resource_id, sealed_secret: secret?.sealed ?? null };
				return [keepAnswer(key, stored_answer, deps.clock.now())];
			},
			hasSeen: (current: Result) => {
				const reply = route.conditional ? answer(current) : null;
				return reply === null || 'problem' in reply || hasSeen(request, route.response, reply.answer);
			},
		};
		try {
			return respond(route, answer(await run(input, changeDeps)));
		} catch (error) {
			throw error instanceof AnsweredMeanwhile ? new Refused(SAME_REQUEST_IN_PROGRESS) : error;
		}
	};
}

/** Whether If-Match names the current state of the resource; true without If-Match. */
export function hasSeen<S extends z.ZodMiniType>(request: HttpRequest, response: S, resource: z.input<S>): boolean {
	const if_match = request.headers['if-match'];
	return if_match === undefined || matchesEtag(if_match, serialise(response, resource));
}

function respond<R extends Route>(route: R, reply: Reply<R>): HttpResponse {
	if ('problem' in reply) throw new Refused(reply.problem);
	const text = serialise(route.response, reply.answer);
	const body = reply.secret?.putInto(text) ?? text;
	return jsonResponse(route.success, body, { ...reply.headers, ...etagHeader(route, body) });
}

/** Responses go through their schema, so that no undeclared field is sent. */
function serialise<S extends z.ZodMiniType>(response: S, answer: z.input<S>): string {
	const value = response.parse(answer);
	return value === null ? '' : JSON.stringify(value);
}
