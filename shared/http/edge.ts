import middy from '@middy/core';
import type { Route } from '../contract/route.ts';
import type { Log } from '../ports/log.ts';
import { answerErrors } from './around/answer-errors.ts';
import { logAnswer } from './around/log-answer.ts';
import type { EdgeProblem, Exchange } from './exchange.ts';
import { type HttpRequest, type RequestEvent, readRequest } from './request.ts';
import type { HttpResponse } from './response.ts';

/** The handler of a function behind the gateway. */
export type EdgeHandler = (event: RequestEvent, context: object) => Promise<HttpResponse>;

/** middy's type requires a whole Lambda context, but middy reads only the remaining time, if there is any. */
type Runner = { run(exchange: Exchange, context: object): Promise<HttpResponse> };

/**
 * Surrounds `answer` with what every route has: one log line, the headers of every response, and a response to every error.
 * `refuse` turns a refusal into a response: JSON for programs, a page for people.
 */
export function edge(
	route: Pick<Route, 'operation' | 'deprecated' | 'quiet'>,
	log: Log,
	refuse: (problem: EdgeProblem, request: HttpRequest) => HttpResponse,
	answer: (exchange: Exchange) => Promise<HttpResponse>,
): EdgeHandler {
	const around: Runner = {
		run: middy<Exchange, HttpResponse>()
			.use(logAnswer(route, log))
			.use(answerErrors(route.operation, log, refuse))
			.handler(answer),
	};
	return (event, context) => {
		const request = readRequest(event);
		return around.run({ request, started_ms: performance.now(), headers: {}, workspace_id: null, code: null }, context);
	};
}
