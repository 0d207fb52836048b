import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Problem } from '../contract/kernel/problem.ts';
import { errorFields, type Log } from '../ports/log.ts';
import { StoreBusy } from '../ports/store.ts';
import { VaultBusy } from '../ports/vault.ts';
import { type HttpRequest, readRequest } from './request.ts';
import { type HttpResponse, problemResponse } from './response.ts';

/** Browsers come back by https only for a year (RFC 6797; ignored on plain http), and take a body for what it says it is. */
const EVERY_ANSWER = { 'strict-transport-security': 'max-age=31536000', 'x-content-type-options': 'nosniff' } as const;

/** What every function behind the gateway does: request id, one log line, and nothing internal in a failure. */
export function edge(
	operation: string,
	log: Log,
	answer: (request: HttpRequest) => Promise<HttpResponse>,
	refuse: (problem: Problem, request: HttpRequest) => HttpResponse = problemResponse,
): (event: APIGatewayProxyEventV2, context: object) => Promise<HttpResponse> {
	return middy<APIGatewayProxyEventV2, HttpResponse>()
		.use({
			before: (run) => {
				run.internal['started_at'] = performance.now();
			},
			after: (run) => {
				const response = run.response;
				if (response === null || response === undefined) return;
				const { requestId: request_id, http } = run.event.requestContext;
				run.response = onTheWire(response, { id: request_id, method: http.method });
				const duration_ms = Math.round(performance.now() - Number(run.internal['started_at']));
				log.info('answered', { request_id, operation, status: response.statusCode, duration_ms });
			},
			onError: (run) => {
				const request = readRequest(run.event);
				const response = refuse(unexpected(run.error, request, operation, log), request);
				run.response = onTheWire(response, request);
			},
		})
		.handler((event: APIGatewayProxyEventV2) => answer(readRequest(event)));
}

/** Every answer names its request; HEAD has the headers of GET and no body (RFC 9110 section 9.3.2). */
function onTheWire(response: HttpResponse, { id, method }: Pick<HttpRequest, 'id' | 'method'>): HttpResponse {
	const { body, ...head } = { ...response, headers: { ...response.headers, ...EVERY_ANSWER, 'x-request-id': id } };
	return method === 'HEAD' || body === undefined ? head : { ...head, body };
}

/** The cause goes to the log by class and place; the client gets a code and the request id. */
function unexpected(error: Error | null, request: HttpRequest, operation: string, log: Log): Problem {
	if (error instanceof StoreBusy || error instanceof VaultBusy) {
		log.warn('busy', { request_id: request.id, operation, ...errorFields(error) });
		return { code: 'service_busy', detail: 'Nothing was changed; please ask again.', headers: { 'retry-after': '1' } };
	}
	log.error('unexpected', { request_id: request.id, operation, ...errorFields(error) });
	return { code: 'internal_error', detail: 'The request id helps us find the cause.' };
}
