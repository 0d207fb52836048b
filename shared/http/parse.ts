import type * as z from 'zod/mini';
import type { FieldError, Problem, ProblemCode } from '../contract/kernel/problem.ts';
import type { Route } from '../contract/route.ts';
import { Refused } from './exchange.ts';
import { expectation } from './expectation.ts';
import type { JsonBody } from './read-json.ts';
import { NOT_FOUND } from './refusals.ts';
import type { HttpRequest } from './request.ts';

/** The JSON Pointer (RFC 6901) of an issue. */
function pointer(path: readonly PropertyKey[]): string {
	return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The most errors in one response. A small body can have thousands, and a response with all of them would be far larger. */
const MOST_ERRORS = 20;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

/** Names every error; a single one is also in `detail`. `place` formats the location of an issue for the client. */
function problemOf(
	code: ProblemCode,
	error: z.core.$ZodError,
	several: string,
	place: (path: readonly PropertyKey[]) => string,
): Problem {
	const errors = error.issues.slice(0, MOST_ERRORS).map((issue): FieldError => {
		return { pointer: place(issue.path), code: issue.code, detail: sentence(issue.message) };
	});
	const [only, ...more] = error.issues;
	if (only === undefined || more.length > 0) return { code, detail: several, extra: { errors } };
	const where = place(only.path).slice(1) || 'body';
	return { code, detail: `${where}: ${only.message.replace(/\.$/, '')}.`, extra: { errors } };
}

type Read<S extends z.ZodMiniType> = { readonly value: z.infer<S> } | { readonly problem: Problem };

/** Parses a body; the problem locates every error by its JSON Pointer. */
export function parseBody<S extends z.ZodMiniType>(schema: S, value: unknown): Read<S> {
	const outcome = schema.safeParse(value, { error: expectation });
	if (outcome.success) return { value: outcome.data };
	return { problem: problemOf('validation_failed', outcome.error, 'The body is not valid; see `errors`.', pointer) };
}

/** Parses query parameters; the problem names each as `?name`. */
export function parseQuery<S extends z.ZodMiniType>(schema: S, query: unknown): Read<S> {
	const outcome = schema.safeParse(query, { error: expectation });
	if (outcome.success) return { value: outcome.data };
	const several = 'Query parameters are not valid; see `errors`.';
	return { problem: problemOf('invalid_parameter', outcome.error, several, ([name]) => `?${String(name ?? '')}`) };
}

/** A request's input, parsed by the schemas of its route. */
export type RouteInput<R extends Route> = {
	readonly params: z.infer<R['params']>;
	readonly query: z.infer<R['query']>;
	readonly body: z.infer<R['body']>;
};

/** Parses params, query and body with the route's schemas. Answers 404 to invalid params. */
export function parseInput<R extends Route>(route: R, request: HttpRequest, json: JsonBody): RouteInput<R> {
	const params = parseBody<R['params']>(route.params, request.params);
	if ('problem' in params) throw new Refused(NOT_FOUND);
	const query = parseQuery<R['query']>(route.query, request.query);
	if ('problem' in query) throw new Refused(query.problem);
	const body = parseBody<R['body']>(route.body, json.value);
	if ('problem' in body) throw new Refused(body.problem);
	return { params: params.value, query: query.value, body: body.value };
}
