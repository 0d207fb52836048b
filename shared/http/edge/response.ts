import { createHash } from 'node:crypto';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { isProblemCode, problems, problemType } from '../../contract/kernel/problem.ts';
import type { Deprecation, Route } from '../../contract/route.ts';
import type { LogFields } from '../../ports/log-redaction.ts';
import type { EdgeProblem } from './refusals.ts';
import type { Headers, HttpRequest } from './request.ts';

export type HttpResponse = APIGatewayProxyStructuredResultV2 & {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
};

/** `code`: why the page refuses the request, for the log. `about`: further fields of the log line. */
export type PageResult =
	| { readonly response: HttpResponse; readonly code?: EdgeProblem['code']; readonly about?: LogFields }
	| { readonly problem: EdgeProblem };

/**
 * A response of the API. By default, it must not be cached, because its data may be personal or live. A few routes allow
 * caching by setting `headers`. A response without a body (204) has no content type.
 */
export function jsonResponse(
	status: number,
	body: string,
	headers: Readonly<Record<string, string>> = {},
): HttpResponse {
	const fresh = { 'cache-control': 'no-store', ...headers };
	if (body === '') return { statusCode: status, headers: fresh };
	return { statusCode: status, headers: { 'content-type': 'application/json', ...fresh }, body };
}

/** After a form, sends the browser to a page (RFC 9110 section 15.4.4). `location` is relative to the page of the form. */
export function seeOther(location: string, cookie?: string): HttpResponse {
	const headers = { location, 'cache-control': 'no-store' };
	return { statusCode: 303, headers, ...(cookie !== undefined && { cookies: [cookie] }) };
}

/**
 * A refusal as problem details (RFC 9457), with our stable `code` and the id of the request. If the documentation is
 * served, `type` is an address in it.
 */
export const problemResponse =
	(docsUrl: string | null = null) =>
	({ code, detail, extra, headers }: EdgeProblem, request: Pick<HttpRequest, 'id' | 'path'>): HttpResponse => {
		if (!isProblemCode(code)) throw new Error(`only a page can refuse with ${code}`);
		const { status, title } = problems[code];
		const body = {
			type: problemType(code, docsUrl),
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

const TAG_CHARS = 22;

/** The strong validator of a response (RFC 9110 section 8.8.3). The same bytes always have the same tag. */
export function etagOf(body: string): string {
	return `"${createHash('sha256').update(body).digest('base64url').slice(0, TAG_CHARS)}"`;
}

/** The ETag header of a response that shows one resource. No header for any other response. */
export function etagHeader({ conditional }: Pick<Route, 'conditional'>, body: string | undefined): Headers {
	return conditional === undefined || !body ? {} : { etag: etagOf(body) };
}

/** Whether If-Match (RFC 9110 section 13.1.1) names the resource that `body` shows. Weak tags never match. */
export function matchesEtag(ifMatch: string, body: string): boolean {
	const tags = ifMatch.split(',').map((tag) => tag.trim());
	return tags.includes('*') || tags.includes(etagOf(body));
}

/**
 * The headers of every response of a deprecated operation: `Deprecation` (RFC 9745, a structured date in epoch seconds),
 * `Sunset` (RFC 8594, an HTTP date) and `Link` to its successor (RFC 5829). Empty if the operation is not deprecated.
 */
export function deprecationHeaders(deprecated: Deprecation | undefined): Readonly<Record<string, string>> {
	if (deprecated === undefined) return {};
	const { since, sunset, successor } = deprecated;
	return {
		deprecation: `@${Date.parse(since) / 1000}`,
		sunset: new Date(sunset).toUTCString(),
		link: `<${successor}>; rel="successor-version"`,
	};
}
