import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import { Nothing } from '../../contract/kernel/common.ts';
import type { FieldError, Problem, ProblemCode } from '../../contract/kernel/problem.ts';
import type { Route } from '../../contract/route.ts';
import { expectation } from './expectation.ts';
import { NOT_FOUND, Refused } from './refusals.ts';
import { unknownName } from './unknown-name.ts';

/** The longest body, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024;
export const TOO_LARGE: Problem = {
	code: 'payload_too_large',
	detail: `A body may have at most ${MAX_BODY_BYTES} bytes.`,
};

export type Headers = Readonly<Record<string, string>>;

/** A request, read once from the gateway's event and never changed. */
export type HttpRequest = {
	readonly id: string;
	readonly method: string;
	readonly path: string;
	/**
	 * The names are in lower case. Repeated headers are joined with a comma, as payload format 2.0 of HTTP APIs gives them.
	 */
	readonly headers: Readonly<Record<string, string | undefined>>;
	readonly query: Readonly<Record<string, string | undefined>>;
	readonly params: Readonly<Record<string, string | undefined>>;
	readonly source_ip: string;
	/** Texts such as `name=value`. In payload format 2.0, cookies are not among the headers. */
	readonly cookies: readonly string[];
	/** The bytes of the body. Null if there is none. */
	readonly body: Buffer | null;
};

export type RequestEvent = Pick<
	APIGatewayProxyEventV2,
	'rawPath' | 'headers' | 'cookies' | 'queryStringParameters' | 'pathParameters' | 'body' | 'isBase64Encoded'
> & {
	readonly requestContext: {
		readonly requestId: string;
		readonly http: { readonly method: string; readonly sourceIp: string };
	};
};

/** Reads a payload format 2.0 event (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html). */
export function readRequest(event: RequestEvent): HttpRequest {
	return {
		id: event.requestContext.requestId,
		method: event.requestContext.http.method,
		path: event.rawPath,
		headers: event.headers,
		query: event.queryStringParameters ?? {},
		params: event.pathParameters ?? {},
		source_ip: event.requestContext.http.sourceIp,
		cookies: event.cookies ?? [],
		body: event.body ? Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8') : null,
	};
}

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
 * Reads the body as JSON. The body of a GET or DELETE is ignored. A missing body counts as an empty object. But if the route
 * takes a body and the content type is JSON, a missing body is an error.
 */
export function readJsonBody(route: Route, { body, headers }: HttpRequest): JsonBody {
	if (route.method === 'GET' || route.method === 'DELETE') return NOTHING;
	const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
	if (body === null) {
		if (type === 'application/json' && route.body !== Nothing) throw new Refused(NO_BODY);
		return NOTHING;
	}
	if (isEncoded(headers['content-encoding'])) throw new Refused(ENCODED);
	if (body.byteLength > MAX_BODY_BYTES) throw new Refused(TOO_LARGE);
	if (type !== 'application/json') throw new Refused(NOT_THAT_TYPE);
	let halves: FieldError[] = [];
	let json: JsonBody;
	try {
		const raw = new TextDecoder('utf-8', { fatal: true }).decode(body);
		json = { raw, value: JSON.parse(raw) };
		if (SURROGATE_ESCAPE.test(raw)) halves = halvesIn(json.value);
	} catch {
		throw new Refused(NOT_JSON);
	}
	const [first] = halves;
	if (first === undefined) return json;
	const detail = `${first.pointer.slice(1) || 'body'}: ${first.detail}${cutAt(halves.length)}`;
	throw new Refused({ code: 'validation_failed', detail, extra: { errors: halves.slice(0, MOST_ERRORS) } });
}

/** Matches escapes of surrogates. The bytes are UTF-8, so only an escape can lead to a text that is not valid Unicode. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Returns an error for every name or text with a lone surrogate. A lone surrogate has no form in UTF-8, so the text could
 * neither be stored nor sent on (RFC 7493). In the error's pointer, U+FFFD replaces a lone surrogate.
 */
function halvesIn(value: unknown, at = ''): FieldError[] {
	if (!at.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
		return [{ pointer: at.toWellFormed(), code: 'invalid_format', detail: HALF_A_CHARACTER }];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => halvesIn(inner, at + pointer([name])));
}
const HALF_A_CHARACTER = 'Valid Unicode, without half a character (a lone surrogate).';

/** Whether a body has a content coding (RFC 9110 section 8.4). `identity` means that the body has no content coding. */
function isEncoded(contentEncoding: string | undefined): boolean {
	const codings = (contentEncoding ?? '').split(',').map((coding) => coding.trim().toLowerCase());
	return codings.some((coding) => coding !== '' && coding !== 'identity');
}

/** The place of an error as a JSON Pointer (RFC 6901). */
function pointer(path: readonly PropertyKey[]): string {
	return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * The most errors in one response. Even a small body can have thousands of errors, and a response with all of them would be far
 * larger.
 */
const MOST_ERRORS = 20;

/** A sentence that says that the list of errors was cut. Empty if the list is complete. */
const cutAt = (count: number): string => (count > MOST_ERRORS ? ` It has the first ${MOST_ERRORS} of ${count}.` : '');

const withStop = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`);
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${withStop(text.slice(1))}`;

type Fault = { readonly path: readonly PropertyKey[]; readonly code: string; readonly message: string };

/** The mistakes in an input: one for each name that the schema does not know, and all other mistakes as zod reports them. */
function faultsOf({ issues }: z.core.$ZodError, schema: z.ZodMiniType): readonly Fault[] {
	const names = 'shape' in schema && schema.shape instanceof Object ? Object.keys(schema.shape) : [];
	return issues.flatMap((issue): Fault | readonly Fault[] => {
		if (issue.code !== 'unrecognized_keys') return issue;
		return issue.keys.map((name) => {
			return { path: [...issue.path, name], code: 'unknown_name', message: unknownName(name, names) };
		});
	});
}

/**
 * A problem that names the errors, at most `MOST_ERRORS` of them. If there is only one error, `detail` repeats it. `place`
 * returns the place of an error as a text for the client.
 */
function problemOf(
	code: ProblemCode,
	faults: readonly Fault[],
	several: string,
	place: (path: readonly PropertyKey[]) => string,
): Problem {
	const errors = faults.slice(0, MOST_ERRORS).map((fault): FieldError => {
		return { pointer: place(fault.path), code: fault.code, detail: sentence(fault.message) };
	});
	const [only, ...more] = faults;
	if (only === undefined || more.length > 0) return { code, detail: several + cutAt(faults.length), extra: { errors } };
	const where = place(only.path).slice(1) || 'body';
	return { code, detail: withStop(`${where}: ${only.message}`), extra: { errors } };
}

type Parsed<S extends z.ZodMiniType> = { readonly value: z.infer<S> } | { readonly problem: Problem };

/** Checks a body with its schema. The problem gives the places of the errors as JSON Pointers. */
export function parseBody<S extends z.ZodMiniType>(schema: S, value: unknown): Parsed<S> {
	const outcome = schema.safeParse(value, { error: expectation });
	if (outcome.success) return { value: outcome.data };
	const faults = faultsOf(outcome.error, schema);
	return { problem: problemOf('validation_failed', faults, 'The body is not valid; see `errors`.', pointer) };
}

/** Checks query parameters with their schema. The problem names each wrong parameter as `?name`. */
export function parseQuery<S extends z.ZodMiniType>(schema: S, query: unknown): Parsed<S> {
	const outcome = schema.safeParse(query, { error: expectation });
	if (outcome.success) return { value: outcome.data };
	const several = 'Query parameters are not valid; see `errors`.';
	const faults = faultsOf(outcome.error, schema);
	return { problem: problemOf('invalid_parameter', faults, several, ([name]) => `?${String(name ?? '')}`) };
}

export type RouteInput<R extends Route> = {
	readonly params: z.infer<R['params']>;
	readonly query: z.infer<R['query']>;
	readonly body: z.infer<R['body']>;
};

/**
 * Checks the parameters in the path, the query and the body with the route's schemas. If a parameter in the path is invalid,
 * the answer is 404.
 */
export function parseInput<R extends Route>(route: R, request: HttpRequest, json: JsonBody): RouteInput<R> {
	const params = parseBody<R['params']>(route.params, request.params);
	if ('problem' in params) throw new Refused(NOT_FOUND);
	const { cursor, ...others } = request.query;
	// A client that reads page after page may send an empty cursor with its first request. An empty cursor is ignored.
	const query = parseQuery<R['query']>(route.query, cursor === '' ? others : request.query);
	if ('problem' in query) throw new Refused(query.problem);
	const body = parseBody<R['body']>(route.body, json.value);
	if ('problem' in body) throw new Refused(body.problem);
	return { params: params.value, query: query.value, body: body.value };
}
