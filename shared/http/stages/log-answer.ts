import type { Log } from '../../ports/log.ts';
import type { Exchange } from '../exchange.ts';
import type { Stage } from '../pipeline.ts';
import type { HttpResponse } from '../response.ts';

/** Browsers come back by https only for a year (RFC 6797; ignored on plain http), and take a body for what it says it is. */
const EVERY_ANSWER = { 'strict-transport-security': 'max-age=31536000', 'x-content-type-options': 'nosniff' } as const;

/** Gives every answer the request's id and the headers of its surface, and writes one log line for it. */
export function logAnswer(operation: string, log: Log): Stage {
	const finish: Stage['after'] = (run) => {
		if (run.response === null || run.response === undefined) return;
		run.response = onTheWire(run.response, run.event);
		const { request, started_ms, workspace_id, problem } = run.event;
		log.info('answered', {
			request_id: request.id,
			operation,
			status: run.response.statusCode,
			duration_ms: Math.round(performance.now() - started_ms),
			...(problem !== undefined && { code: problem }),
			...(workspace_id !== undefined && { workspace_id }),
		});
	};
	return { name: 'log-answer', after: finish, onError: finish };
}

/** HEAD has the headers of GET and no body (RFC 9110 section 9.3.2). */
function onTheWire(response: HttpResponse, { request, headers }: Exchange): HttpResponse {
	const all = { ...headers, ...response.headers, ...EVERY_ANSWER, 'x-request-id': request.id };
	const { body, ...head } = { ...response, headers: all };
	return request.method === 'HEAD' || body === undefined ? head : { ...head, body };
}
