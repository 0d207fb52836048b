import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type Problem, problems, problemType } from '../contract/kernel/problem.ts';

/** What goes back to the gateway. */
export type HttpResponse = APIGatewayProxyStructuredResultV2 & {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
};

/** A response with personal or live data: never cached. Without a body (204) it has no content type. */
export function jsonResponse(
	status: number,
	body: string,
	headers: Readonly<Record<string, string>> = {},
): HttpResponse {
	const fresh = { 'cache-control': 'no-store', ...headers };
	if (body === '') return { statusCode: status, headers: fresh };
	return { statusCode: status, headers: { 'content-type': 'application/json', ...fresh }, body };
}

/** RFC 9457 problem details, with our stable `code` and the request's id. */
export function problemResponse(
	problem: Problem,
	request: { readonly id: string; readonly path: string },
): HttpResponse {
	const { status, title } = problems[problem.code];
	const body = {
		type: problemType(problem.code),
		title,
		status,
		detail: problem.detail,
		instance: request.path,
		code: problem.code,
		request_id: request.id,
		...problem.extra,
	};
	return {
		statusCode: status,
		headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...problem.headers },
		body: JSON.stringify(body),
	};
}
