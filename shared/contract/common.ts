import * as z from 'zod/mini';
import { ID_PATTERN } from '../domain/id.ts';

export const Id = z.string().check(z.regex(ID_PATTERN));
export const Timestamp = z.iso.datetime({ precision: 3 });
/** A part of a request that the route does not read. */
export const Nothing = z.object({});
/** A response without a body, or not in JSON. */
export const Empty = z.null();
export const IdParams = z.object({ id: z.string() });
export const LegParams = z.object({ call_id: z.string(), leg_id: z.string() });

/** The list envelope: newest first, `next_cursor` null on the last page. */
export function listOf<T extends z.ZodMiniType>(item: T) {
	return z.object({ data: z.array(item), has_more: z.boolean(), next_cursor: z.nullable(z.string()) });
}

/** `{ "data": <resource> }` */
export function single<T extends z.ZodMiniType>(item: T) {
	return z.object({ data: item });
}
