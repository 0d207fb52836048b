import * as z from 'zod/mini';
import { ID_PATTERN } from '../../domain/kernel/id.ts';

export const Id = z.string().check(z.regex(ID_PATTERN, 'an id of 26 characters'));
export const Timestamp = z.iso.datetime({ precision: 3 });
export const WorkspaceKeyed = z.object({ workspace_key: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)) });
/** For a part of the request that the route does not read: if a server sends something there, it is a mistake. */
export const Nothing = z.strictObject({});
/** For query parameters of a widget route that pages may add, such as an old script: they are ignored. */
export const Anything = z.object({});
/** A response without a body, or not in JSON. */
export const Empty = z.null();
export const OpenApiDocument = z.looseObject({ openapi: z.string() });
/** A value without the shape of an id answers 404 before anything is read. */
export const IdParams = z.object({ id: Id });
export const LegParams = z.object({ call_id: Id, leg_id: Id });

/** The list envelope: newest first, `next_cursor` null on the last page. */
export function listOf<T extends z.ZodMiniType>(item: T) {
	return z.object({ data: z.readonly(z.array(item)), has_more: z.boolean(), next_cursor: z.nullable(z.string()) });
}

/** `{ "data": <resource> }` */
export function single<T extends z.ZodMiniType>(item: T) {
	return z.object({ data: item });
}

export const MAX_PAGE_LIMIT = 100;
export const DEFAULT_PAGE_LIMIT = 25;

const LIMIT_IN_WORDS = `an integer from 1 to ${MAX_PAGE_LIMIT}`;

/** A query value that is a whole number in plain digits. */
const Limit = z.pipe(
	z.string().check(z.regex(/^[1-9][0-9]{0,2}$/, LIMIT_IN_WORDS)),
	z.pipe(z.transform(Number), z.int().check(z.maximum(MAX_PAGE_LIMIT, LIMIT_IN_WORDS))),
);

const limit = z._default(z.optional(Limit), DEFAULT_PAGE_LIMIT);
/** A list that is always one page: `limit` must be valid as for any other list. */
export const OnePageQuery = z.strictObject({ limit });

/** An instant as clients may write it: `parseInstant` reads it. */
export const Instant = z.string().check(z.maxLength(40));

/** One value or several separated by commas, distinct or not. */
export function severalOf<const S extends readonly string[]>(values: S) {
	const split = z.transform((text: string) => text.split(','));
	return z.pipe(z.string().check(z.maxLength(200)), z.pipe(split, z.array(z.enum(values)).check(z.minLength(1))));
}

export const ReferenceFilter = z.optional(z.string().check(z.minLength(1), z.maxLength(64)));

const range = {
	from: z.optional(Instant),
	to: z.optional(Instant),
	limit,
	cursor: z.optional(z.string().check(z.maxLength(1000))),
};
/** The parameters of every list. `from` inclusive, `to` exclusive, on `created_at`. */
export const RangeQuery = z.strictObject(range);
/** The same, and one status or several. */
export function listQuery<const S extends readonly string[]>(statuses: S) {
	return z.strictObject({ status: z.optional(severalOf(statuses)), ...range });
}
