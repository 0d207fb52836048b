import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Nothing } from '../contract/kernel/common.ts';
import type { Problem } from '../contract/kernel/problem.ts';
import type { Route } from '../contract/route.ts';

/** Largest body that is read, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024;
export const TOO_LARGE: Problem = {
	code: 'payload_too_large',
	detail: `A body may have at most ${MAX_BODY_BYTES} bytes.`,
};

/** A request as the edge sees it: the gateway's event, read once and never changed. */
export type HttpRequest = {
	readonly id: string;
	readonly method: string;
	readonly path: string;
	/** Lower-case names; repeated headers joined by a comma, as HTTP API payload format 2.0 gives them. */
	readonly headers: Readonly<Record<string, string | undefined>>;
	readonly query: Readonly<Record<string, string | undefined>>;
	readonly params: Readonly<Record<string, string | undefined>>;
	readonly source_ip: string;
	/** The body's bytes; null when there is none. */
	readonly body: Buffer | null;
};

/** Reads a payload format 2.0 event (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html). */
export function readRequest(event: APIGatewayProxyEventV2): HttpRequest {
	return {
		id: event.requestContext.requestId,
		method: event.requestContext.http.method,
		path: event.rawPath,
		headers: event.headers,
		query: event.queryStringParameters ?? {},
		params: event.pathParameters ?? {},
		source_ip: event.requestContext.http.sourceIp,
		body: event.body ? Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8') : null,
	};
}

/** Half a character, or the two halves of one: only then a text can be no Unicode, for the bytes are UTF-8. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** Throws at a name or text with half a character: it has no UTF-8, so it could neither be stored nor sent on (RFC 7493). */
function wellFormed(name: string, value: unknown): unknown {
	if (name.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value;
	throw new SyntaxError('half a character');
}

/** Whether a body comes in a content coding (RFC 9110 section 8.4); `identity` is none. */
function isEncoded(content_encoding: string | undefined): boolean {
	const codings = (content_encoding ?? '').split(',').map((coding) => coding.trim().toLowerCase());
	return codings.some((coding) => coding !== '' && coding !== 'identity');
}

export type JsonBody = { readonly raw: string; readonly value: unknown };

const NOT_JSON: Problem = { code: 'invalid_json', detail: 'The body could not be read as JSON in UTF-8.' };
const NO_BODY: Problem = {
	code: 'invalid_json',
	detail: 'The content type says JSON, but the body is empty: send an object, or no content type.',
};
const ENCODED: Problem = {
	code: 'unsupported_media_type',
	detail: 'Send the body as it is, without a Content-Encoding.',
	headers: { 'accept-encoding': 'identity' },
};

/**
 * The body as JSON, or why it is none. No body counts as an empty object, unless its content type promises JSON where the
 * route reads a body; one sent with GET or DELETE is not read.
 */
export function readJson(request: HttpRequest, route: Route): JsonBody | { readonly problem: Problem } {
	const { body, headers } = request;
	if (route.method === 'GET' || route.method === 'DELETE') return { raw: '', value: {} };
	const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
	if (body === null) {
		const promised = type === 'application/json' && route.body !== Nothing;
		return promised ? { problem: NO_BODY } : { raw: '', value: {} };
	}
	if (isEncoded(headers['content-encoding'])) return { problem: ENCODED };
	if (body.byteLength > MAX_BODY_BYTES) return { problem: TOO_LARGE };
	if (type !== 'application/json') {
		return { problem: { code: 'unsupported_media_type', detail: 'Send the body as application/json.' } };
	}
	try {
		const raw = new TextDecoder('utf-8', { fatal: true }).decode(body);
		const value = SURROGATE_ESCAPE.test(raw) ? JSON.parse(raw, wellFormed) : JSON.parse(raw);
		return { raw, value };
	} catch {
		return { problem: NOT_JSON };
	}
}
