import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { isProblemCode, problems, problemType } from '../contract/kernel/problem.ts';
import type { EdgeProblem } from './exchange.ts';
import type { HttpRequest } from './request.ts';

/** The result for the gateway. */
export type HttpResponse = APIGatewayProxyStructuredResultV2 & {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
};

/** What a page's route answers with. */
export type Reply = { readonly response: HttpResponse } | { readonly problem: EdgeProblem };

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

/** Leads a browser on to a page after a form (RFC 9110 section 15.4.4). `location` is relative to the form's page. */
export function seeOther(location: string, cookie?: string): HttpResponse {
	const headers = { location, 'cache-control': 'no-store' };
	return { statusCode: 303, headers, ...(cookie !== undefined && { cookies: [cookie] }) };
}

/** RFC 9457 problem details, with our stable `code` and the request's id. `type` leads to the documentation, if there is any. */
export const answerProblem =
	(docs_url: string | null = null) =>
	({ code, detail, extra, headers }: EdgeProblem, request: Pick<HttpRequest, 'id' | 'path'>): HttpResponse => {
		if (!isProblemCode(code)) throw new Error(`only a page can refuse with ${code}`);
		const { status, title } = problems[code];
		const body = {
			type: problemType(code, docs_url),
			title,
			status,
			detail,
			instance: request.path,
			code,
			request_id: request.id,
			...extra,
		};
		return {
			statusCode: status,
			headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
			body: JSON.stringify(body),
		};
	};
