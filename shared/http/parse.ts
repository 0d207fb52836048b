import type * as z from 'zod/mini';
import type { FieldError, Problem } from '../contract/kernel/problem.ts';

/** A JSON Pointer (RFC 6901) to where an issue is. */
function pointer(path: readonly PropertyKey[]): string {
	return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A sentence for a person, from the kind of issue alone: values never come back. */
function explain(issue: z.core.$ZodIssue): string {
	switch (issue.code) {
		case 'invalid_type':
			return `Expected ${issue.expected}.`;
		case 'too_big':
			return `At most ${issue.maximum}.`;
		case 'too_small':
			return `At least ${issue.minimum}.`;
		case 'invalid_value':
			return `One of ${issue.values.map(String).join(', ')}.`;
		case 'invalid_format':
			return `Not a valid ${issue.format}.`;
		case 'not_multiple_of':
		case 'unrecognized_keys':
		case 'invalid_union':
		case 'invalid_key':
		case 'invalid_element':
		case 'custom':
			return issue.message === 'Invalid input' ? 'Not valid.' : issue.message;
	}
}

/** A small body can be wrong in thousands of places; an answer that names them all would be many times its size. */
const MOST_ERRORS = 20;

function fieldErrors(error: z.core.$ZodError, place: (path: readonly PropertyKey[]) => string): FieldError[] {
	const issues = error.issues.slice(0, MOST_ERRORS);
	return issues.map((issue) => ({ pointer: place(issue.path), code: issue.code, detail: explain(issue) }));
}

type Parsed<S extends z.ZodMiniType> = { readonly value: z.infer<S> } | { readonly problem: Problem };

/** Parses a body; the problem names every wrong place by its JSON Pointer. */
export function parseBody<S extends z.ZodMiniType>(schema: S, value: unknown): Parsed<S> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return { value: parsed.data };
	const errors = fieldErrors(parsed.error, pointer);
	return { problem: { code: 'validation_failed', detail: 'The body is not valid; see `errors`.', extra: { errors } } };
}

/** Parses query parameters; the problem names each as `?name`. */
export function parseQuery<S extends z.ZodMiniType>(schema: S, query: unknown): Parsed<S> {
	const parsed = schema.safeParse(query);
	if (parsed.success) return { value: parsed.data };
	const errors = fieldErrors(parsed.error, (path) => `?${String(path[0] ?? '')}`);
	return {
		problem: { code: 'invalid_parameter', detail: 'A query parameter is not valid; see `errors`.', extra: { errors } },
	};
}
