import { Nothing } from '../contract/kernel/common.ts';
import type { Problem } from '../contract/kernel/problem.ts';
import type { Route } from '../contract/route.ts';
import { Refused } from './exchange.ts';
import { type HttpRequest, MAX_BODY_BYTES, TOO_LARGE } from './request.ts';

/** A body as received, and as JSON. */
export type JsonBody = { readonly raw: string; readonly value: unknown };

const NOTHING: JsonBody = { raw: '', value: {} };
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
const NOT_THAT_TYPE: Problem = { code: 'unsupported_media_type', detail: 'Send the body as application/json.' };

/**
 * Reads the body as JSON; ignores one sent with GET or DELETE. A missing body counts as an empty object, unless the route
 * reads a body and the content type is JSON.
 */
export function readJson(route: Route, { body, headers }: HttpRequest): JsonBody {
	if (route.method === 'GET' || route.method === 'DELETE') return NOTHING;
	const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
	if (body === null) {
		if (type === 'application/json' && route.body !== Nothing) throw new Refused(NO_BODY);
		return NOTHING;
	}
	if (isEncoded(headers['content-encoding'])) throw new Refused(ENCODED);
	if (body.byteLength > MAX_BODY_BYTES) throw new Refused(TOO_LARGE);
	if (type !== 'application/json') throw new Refused(NOT_THAT_TYPE);
	try {
		const raw = new TextDecoder('utf-8', { fatal: true }).decode(body);
		const value = SURROGATE_ESCAPE.test(raw) ? JSON.parse(raw, wellFormed) : JSON.parse(raw);
		return { raw, value };
	} catch {
		throw new Refused(NOT_JSON);
	}
}

/** Matches surrogate escapes. The bytes are UTF-8, so only an escape can produce a text that is not valid Unicode. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Throws on a name or text with a lone surrogate: it has no UTF-8 form, so it could neither be stored nor sent on (RFC
 * 7493).
 */
function wellFormed(name: string, value: unknown): unknown {
	if (name.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value;
	throw new SyntaxError('half a character');
}

/** Whether a body comes in a content coding (RFC 9110 section 8.4); `identity` is none. */
function isEncoded(content_encoding: string | undefined): boolean {
	const codings = (content_encoding ?? '').split(',').map((coding) => coding.trim().toLowerCase());
	return codings.some((coding) => coding !== '' && coding !== 'identity');
}
