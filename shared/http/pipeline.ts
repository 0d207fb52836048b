import middy from '@middy/core';
import type { Route } from '../contract/route.ts';
import { type EdgeProblem, type Exchange, Refused } from './exchange.ts';
import { type HttpRequest, type RequestEvent, readRequest } from './request.ts';
import type { HttpResponse } from './response.ts';

/** One stage of the pipeline. Its `before` checks the request; its `after` and `onError` handle the response. */
export type Stage<R extends Route = Route, Caller = unknown> = middy.MiddlewareObj<Exchange<R, Caller>, HttpResponse>;

/** The handler of a function behind the gateway. */
export type EdgeHandler = (event: RequestEvent, context: object) => Promise<HttpResponse>;

/** middy's type requires a whole Lambda context, but middy reads only the remaining time, if there is any. */
type Runner<R extends Route, Caller> = {
	run(exchange: Exchange<R, Caller>, context: object): Promise<HttpResponse>;
};

/** Runs a request through the stages in order, then `answer`; the response passes the stages in reverse order. */
export function pipeline<R extends Route, Caller>(
	stages: readonly Stage<R, Caller>[],
	answer: (exchange: Exchange<R, Caller>) => HttpResponse | Promise<HttpResponse>,
): EdgeHandler {
	const through: Runner<R, Caller> = {
		run: middy<Exchange<R, Caller>, HttpResponse>()
			.use([...stages])
			.handler(answer),
	};
	return (event, context) =>
		through.run({ request: readRequest(event), started_ms: performance.now(), headers: {} }, context);
}

type Run<R extends Route, Caller> = Parameters<NonNullable<Stage<R, Caller>['onError']>>[0];

/**
 * An `onError` that handles refusals only. It may answer instead, or replace the refusal. If it throws, the request fails
 * with that error.
 */
export function onRefusal<R extends Route, Caller>(
	look: (
		exchange: Exchange<R, Caller>,
		problem: EdgeProblem,
	) => Promise<{ readonly response: HttpResponse } | { readonly problem: EdgeProblem } | null>,
) {
	return async (run: Run<R, Caller>): Promise<void> => {
		if (!(run.error instanceof Refused)) return;
		try {
			const instead = await look(run.event, run.error.problem);
			if (instead === null) return;
			if ('response' in instead) run.response = instead.response;
			else run.error = new Refused(instead.problem);
		} catch (error) {
			run.error = error instanceof Error ? error : new Error('a stage failed', { cause: error });
		}
	};
}

/** Turns a refusal into a response: JSON for programs, a page for people. */
export type Refuse = (problem: EdgeProblem, request: HttpRequest) => HttpResponse;
