import { createHash } from 'node:crypto';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { isProblemCode, problems, problemType } from '../contract/kernel/problem.ts';
import type { Deprecation, Route } from '../contract/route.ts';
import { MAX_ORIGIN_CHARS } from '../domain/workspaces/origin.ts';
import type { Store } from '../ports/store.ts';
import type { EdgeProblem } from './refusals.ts';
import type { Headers, HttpRequest } from './request.ts';

/** The result for the gateway. */
export type HttpResponse = APIGatewayProxyStructuredResultV2 & {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, string>>;
};

/** What a page's route answers with. */
export type PageResult = { readonly response: HttpResponse } | { readonly problem: EdgeProblem };

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
export const problemResponse =
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

const TAG_CHARS = 22;

/** The strong validator of a response (RFC 9110 section 8.8.3): the same bytes have the same tag. */
export function etagOf(body: string): string {
	return `"${createHash('sha256').update(body).digest('base64url').slice(0, TAG_CHARS)}"`;
}

/** The ETag header of a response that shows one resource. */
export function etagHeader({ conditional }: Pick<Route, 'conditional'>, body: string | undefined): Headers {
	return conditional === undefined || !body ? {} : { etag: etagOf(body) };
}

/** Whether If-Match (RFC 9110 section 13.1.1) names the resource that `body` shows. Weak tags never match. */
export function matchesEtag(if_match: string, body: string): boolean {
	const tags = if_match.split(',').map((tag) => tag.trim());
	return tags.includes('*') || tags.includes(etagOf(body));
}

/** Answers to a preflight stay valid this long, in seconds. */
const PREFLIGHT_SECONDS = 7200;
const METHODS = 'GET, POST, OPTIONS';
const REQUEST_HEADERS = ['content-type', 'idempotency-key'];
/** Bounds of what a page's own tools may add. A browser names a header that the answer leaves out. */
const MAX_REQUEST_HEADERS = 50;
/** A header's name (RFC 9110 section 5.1); `*` alone would be the wildcard. */
const HEADER_NAME = /^(?!\*$)[-!#$%&'*+.^_`|~0-9a-z]{1,64}$/;
const EXPOSED_HEADERS = 'retry-after, idempotency-replayed, x-request-id, cancel-secret';

/** Every response depends on the Origin, including refusals. */
export const VARY = { vary: 'Origin' } as const;

/** For an allowed origin: its own value, exactly (the specification's CORS rule 1). */
export function corsHeaders(origin: string): Record<string, string> {
	return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS, ...VARY };
}

/**
 * For a preflight from an allowed origin. Never with credentials. `requested`: Access-Control-Request-Headers, with what the
 * page's tools add to each request, such as `traceparent`; the service ignores those headers.
 */
export function preflightHeaders(origin: string, requested = ''): Record<string, string> {
	const names = requested.split(',').map((name) => name.trim().toLowerCase());
	const allowed = new Set([...REQUEST_HEADERS, ...names.filter((name) => HEADER_NAME.test(name))]);
	return {
		'access-control-allow-origin': origin,
		'access-control-allow-methods': METHODS,
		'access-control-allow-headers': [...allowed].slice(0, MAX_REQUEST_HEADERS).join(', '),
		'access-control-max-age': String(PREFLIGHT_SECONDS),
		...VARY,
	};
}

/** An Origin header that a workspace could allow: not `null`, and not longer than the stored maximum. */
export function presentedOrigin(header: string | undefined): string | null {
	if (header === undefined || header === '' || header === 'null') return null;
	return header.length > MAX_ORIGIN_CHARS ? null : header;
}

/** Whether any workspace allows this origin, for requests without a known workspace (a preflight, an unreadable body). */
export async function headersForUnknownWorkspace(origin: string | null, store: Store): Promise<Record<string, string>> {
	if (origin === null) return { ...VARY };
	return (await store.anyWorkspaceAllows(origin)) ? corsHeaders(origin) : { ...VARY };
}

/**
 * Headers of every response of a deprecated operation: `Deprecation` (RFC 9745, a structured date in epoch seconds),
 * `Sunset` (RFC 8594, an HTTP date) and `Link` to the successor (RFC 5829). Empty for an operation that is not deprecated.
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
