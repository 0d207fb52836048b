import type middy from '@middy/core';
import type { Problem } from '../../contract/kernel/problem.ts';
import { errorFields, type Log } from '../../ports/log.ts';
import { StoreBusy } from '../../ports/store.ts';
import { VaultBusy } from '../../ports/vault.ts';
import { type EdgeProblem, type Exchange, Refused } from '../exchange.ts';
import { retryAfter } from '../refusals.ts';
import type { HttpRequest } from '../request.ts';
import type { HttpResponse } from '../response.ts';

/** Turns an error into a response. The response contains no internal detail; the request's id identifies a failure. */
export function answerErrors(
	operation: string,
	log: Log,
	refuse: (problem: EdgeProblem, request: HttpRequest) => HttpResponse,
): middy.MiddlewareObj<Exchange, HttpResponse> {
	return {
		name: 'answer-errors',
		onError: (run) => {
			const { error, event: exchange } = run;
			const { id: request_id } = exchange.request;
			const problem = error instanceof Refused ? error.problem : problemOf(error, { request_id, operation }, log);
			exchange.code = problem.code;
			run.response = refuse(problem, exchange.request);
		},
	};
}

/** The log gets the error's class and position; the client gets a code. */
function problemOf(
	error: Error | null | undefined,
	about: { readonly request_id: string; readonly operation: string },
	log: Log,
): Problem {
	if (error instanceof StoreBusy || error instanceof VaultBusy) {
		log.warn('busy', { ...about, ...errorFields(error) });
		return { code: 'service_busy', detail: 'Nothing was changed; please try again.', headers: retryAfter(1) };
	}
	log.error('unexpected', { ...about, ...errorFields(error) });
	return { code: 'internal_error', detail: 'The request id helps us find the cause.' };
}
