import * as z from 'zod/mini';
import { ID_PATTERN } from '../../domain/kernel/id.ts';

export const Id = z.string().check(z.regex(ID_PATTERN, 'an id of 26 characters'));
export const Timestamp = z.iso.datetime({ precision: 3 });
export const WorkspaceKeyed = z.object({ workspace_key: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)) });
/**
 * For a part of the request that the route does not read. A request that contains something there is refused, because the
 * client must have made a mistake.
 */
export const Nothing = z.strictObject({});
/** For a query in which unknown parameters are ignored. Pages may send such parameters, for example from an old script. */
export const Anything = z.object({});
/** For a response without a body, or with a body that is not JSON. */
export const Empty = z.null();
export const OpenApiDocument = z.looseObject({ openapi: z.string() });
/** If the value does not have the form of an id, the answer is 404 before any record is read. */
export const IdParams = z.object({ id: Id });
export const LegParams = z.object({ call_id: Id, leg_id: Id });

/** The envelope of a list. */
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

/** The size of a page in a query, written in plain digits. */
const Limit = z.pipe(
	z.string().check(z.regex(/^[1-9][0-9]{0,2}$/, LIMIT_IN_WORDS)),
	z.pipe(z.transform(Number), z.int().check(z.maximum(MAX_PAGE_LIMIT, LIMIT_IN_WORDS))),
);

const limit = z._default(z.optional(Limit), DEFAULT_PAGE_LIMIT);
/** For a list that always has one page. `limit` must be valid, as in any other list. */
export const OnePageQuery = z.strictObject({ limit });

/** An instant in any form that clients may write. `parseInstant` reads it. */
export const Instant = z.string().check(z.maxLength(40));

/** One value, or several separated by commas. A value may be repeated. */
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
/** The parameters of every list. `from` is inclusive, `to` is exclusive, and both apply to `created_at`. */
export const RangeQuery = z.strictObject(range);
/** The parameters of every list, and one or several statuses. */
export function listQuery<const S extends readonly string[]>(statuses: S) {
	return z.strictObject({ status: z.optional(severalOf(statuses)), ...range });
}
