import type middy from '@middy/core';
import type { Route } from '../../contract/route.ts';
import type { Log } from '../../ports/log.ts';
import type { Exchange } from '../exchange.ts';
import { deprecationHeaders } from '../headers/deprecation.ts';
import type { Headers } from '../request.ts';
import type { HttpResponse } from '../response.ts';

/** Browsers use only https for a year (RFC 6797; ignored on plain http), and do not guess content types. */
const EVERY_ANSWER = { 'strict-transport-security': 'max-age=31536000', 'x-content-type-options': 'nosniff' } as const;

type LoggedRoute = Pick<Route, 'operation' | 'deprecated' | 'quiet'>;

/**
 * Adds the request's id and headers to every response, and writes one log line for it; on a quiet route, only for a refusal.
 */
export function logAnswer(
	{ operation, deprecated, quiet }: LoggedRoute,
	log: Log,
): middy.MiddlewareObj<Exchange, HttpResponse> {
	const of_route = { ...deprecationHeaders(deprecated), ...EVERY_ANSWER };
	const finish: middy.MiddlewareFn<Exchange, HttpResponse> = (run) => {
		if (run.response === null || run.response === undefined) return;
		run.response = onTheWire(run.response, run.event, of_route);
		const { request, started_ms, workspace_id, code } = run.event;
		if (quiet && run.response.statusCode < 400) return;
		log.info('answered', {
			request_id: request.id,
			operation,
			status: run.response.statusCode,
			duration_ms: Math.round(performance.now() - started_ms),
			...(code !== null && { code }),
			...(workspace_id !== null && { workspace_id }),
		});
	};
	return { name: 'log-answer', after: finish, onError: finish };
}

/** HEAD has the headers of GET and no body (RFC 9110 section 9.3.2). */
function onTheWire(response: HttpResponse, { request, headers }: Exchange, of_route: Headers): HttpResponse {
	const all = { ...headers, ...response.headers, ...of_route, 'x-request-id': request.id };
	const { body, ...head } = { ...response, headers: all };
	return request.method === 'HEAD' || body === undefined ? head : { ...head, body };
}
