import type * as z from 'zod/mini';
import type { Problem } from '../contract/kernel/problem.ts';
import type { Route } from '../contract/route.ts';
import type { Clock } from '../ports/clock.ts';
import type { Write } from '../ports/store.ts';
import { etagHeader, matchesEtag } from './etag.ts';
import { type Exchange, found, type Parsed, Refused } from './exchange.ts';
import type { Headers, HttpRequest } from './request.ts';
import { type HttpResponse, jsonResponse } from './response.ts';
import { keepAnswer } from './stages/idempotency.ts';

/** A request that passed every stage: authorised, parsed, and ready for the domain. */
export type Input<R extends Route, Caller> = Parsed<R> & {
	readonly request: HttpRequest;
	readonly caller: Caller;
	/** The writes that keep this answer for a replay: part of the transaction that makes the change. */
	readonly remember: (answer: z.input<R['response']>, sealed_secret?: string) => readonly Write[];
	/** Whether the request's If-Match, if it has one, names the resource that answers so. */
	readonly mayChange: (current: z.input<R['response']>) => boolean;
};

export type Reply<R extends Route> =
	| { readonly answer: z.input<R['response']>; readonly headers?: Headers }
	| { readonly problem: Problem };
export type Run<R extends Route, Caller, D> = (input: Input<R, Caller>, deps: D) => Promise<Reply<R>>;

/** Answers a request by `run`, through the response schema of its route. */
export function runOf<R extends Route, Caller, D extends { readonly clock: Clock }>(
	route: R,
	run: Run<R, Caller, D>,
	deps: D,
) {
	return async (exchange: Exchange<R, Caller>): Promise<HttpResponse> => {
		const { request, keyed = null } = exchange;
		const input: Input<R, Caller> = {
			...found(exchange.input, 'parse-input'),
			request,
			caller: found(exchange.caller, 'admit'),
			remember: (answer, sealed_secret = undefined) => {
				if (keyed === null) return [];
				const kept = { status: route.success, body: serialise(route, answer), sealed_secret: sealed_secret ?? null };
				return [keepAnswer(keyed, kept, deps.clock.now())];
			},
			mayChange: (current) => {
				const if_match = route.conditional ? request.headers['if-match'] : undefined;
				return if_match === undefined || matchesEtag(if_match, serialise(route, current));
			},
		};
		const reply = await run(input, deps);
		if ('problem' in reply) throw new Refused(reply.problem);
		const body = serialise(route, reply.answer);
		return jsonResponse(route.success, body, { ...reply.headers, ...etagHeader(route, body) });
	};
}

/** Answers go through their schema, so no undeclared field leaves. */
function serialise<R extends Route>(route: R, answer: z.input<R['response']>): string {
	const value = route.response.parse(answer);
	return value === null ? '' : JSON.stringify(value);
}
