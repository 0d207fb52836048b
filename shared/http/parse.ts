import type * as z from 'zod/mini';
import type { FieldError, Problem, ProblemCode } from '../contract/kernel/problem.ts';
import { expectation } from './expectation.ts';

/** The JSON Pointer (RFC 6901) of an issue. */
function pointer(path: readonly PropertyKey[]): string {
	return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A small body can have thousands of errors; a response with all of them would be many times its size. */
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

type Parsed<S extends z.ZodMiniType> = { readonly value: z.infer<S> } | { readonly problem: Problem };

/** Parses a body; the problem locates every error by its JSON Pointer. */
export function parseBody<S extends z.ZodMiniType>(schema: S, value: unknown): Parsed<S> {
	const parsed = schema.safeParse(value, { error: expectation });
	if (parsed.success) return { value: parsed.data };
	return { problem: problemOf('validation_failed', parsed.error, 'The body is not valid; see `errors`.', pointer) };
}

/** Parses query parameters; the problem names each as `?name`. */
export function parseQuery<S extends z.ZodMiniType>(schema: S, query: unknown): Parsed<S> {
	const parsed = schema.safeParse(query, { error: expectation });
	if (parsed.success) return { value: parsed.data };
	const several = 'Query parameters are not valid; see `errors`.';
	return { problem: problemOf('invalid_parameter', parsed.error, several, ([name]) => `?${String(name ?? '')}`) };
}
