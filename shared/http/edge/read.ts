import type * as z from 'zod/mini';
import type { IdParams } from '../../contract/kernel/common.ts';
import type { Route } from '../../contract/route.ts';
import { readCursor, writeCursor } from '../../domain/kernel/cursor.ts';
import { ID_PATTERN } from '../../domain/kernel/id.ts';
import { parseTimeRange } from '../../domain/kernel/time-range.ts';
import type { ListedName, ListPart, Records } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';
import { listPage } from '../../use-cases/kernel/list-page.ts';
import { type EdgeDeps, forClients, handle } from './handle.ts';
import { invalidRange, NOT_FOUND, Refused } from './refusals.ts';

// The routes of the server API that read: one record by its id, and pages of a workspace's records.

/** The kinds of records that the id in a path can name. */
type OwnName = 'call' | 'callback_lead' | 'webhook_endpoint' | 'delivery';
type GetRoute<W> = Route & {
	readonly params: typeof IdParams;
	readonly response: z.ZodMiniType<unknown, { readonly data: W }>;
};

/**
 * For routes that return a record as it is stored. It may contain more fields than the response, because the response's
 * schema removes fields that it does not name.
 */
export const asStored = <T>(item: T): T => item;

/**
 * A route that returns one record. The answer is 404 if the record does not exist, if it belongs to another workspace, or
 * if `accept` rejects it. `present` prepares the record for the schema of the response.
 */
export function getOne<N extends OwnName, W>(
	route: GetRoute<W>,
	depsFor: (operation: string) => EdgeDeps,
	record: N,
	present: (item: Records[N], store: Store) => W | Promise<W>,
	accept: (item: Records[N]) => boolean = () => true,
) {
	return handle(forClients, route, {
		deps: () => depsFor(route.operation),
		run: async ({ params: { id }, caller: { workspace_id } }, { store }) => {
			const item = await store.get(record, { workspace_id, id });
			if (item?.workspace_id !== workspace_id) return { problem: NOT_FOUND };
			if (!accept(item)) return { problem: NOT_FOUND };
			return { body: { data: await present(item, store) } };
		},
	});
}

/** The query parameters of every list route, apart from its filters. */
type ListQuery = {
	readonly from?: string | undefined;
	readonly to?: string | undefined;
	readonly limit: number;
	readonly cursor?: string | undefined;
};
type ListRoute<W, Q extends ListQuery> = Route & {
	readonly query: z.ZodMiniType<Q>;
	readonly response: z.ZodMiniType<
		unknown,
		{ readonly data: readonly W[]; readonly has_more: boolean; readonly next_cursor: string | null }
	>;
};
/** Reads from a cursor the id at which a page ended. Null if the text is no id. */
export const lastId = (text: string): string | null => (ID_PATTERN.test(text) ? text : null);

/**
 * A route that returns one page of the workspace's records, newest first. The request may have a time range and a cursor.
 * The response has the cursor of the next page.
 */
export function listOwn<N extends ListedName, W, Q extends ListQuery>(
	route: ListRoute<W, Q>,
	depsFor: (operation: string) => EdgeDeps,
	record: N,
	accept: (item: Records[N], query: Q) => boolean,
	present: (item: Records[N]) => W,
	partsOf: (query: Q) => readonly ListPart[] | undefined = () => undefined,
) {
	return handle(forClients, route, {
		deps: () => depsFor(route.operation),
		run: async ({ query, caller: { workspace_id } }, { store }) => {
			const { cursor, limit, from, to, ...others } = query;
			const range = parseTimeRange({ from, to });
			if ('refused' in range) return { problem: invalidRange(range) };
			const cursors = cursorsFor(route, workspace_id, { from, to, ...others });
			const before_id = cursor === undefined ? range.before_id : cursors.read(cursor, lastId);
			const within = { workspace_id, from_id: range.from_id, before_id, limit, parts: partsOf(query) };
			const page = await listPage(record, within, (item) => accept(item, query), store);
			const next = page.next_before_id;
			const next_cursor = next === null ? null : cursors.write(next);
			return { body: { data: page.items.map(present), has_more: next !== null, next_cursor } };
		},
	});
}

export type Cursors = {
	/**
	 * Reads from a cursor where the previous page ended. `parse` reads that position from the text in the cursor. Throws
	 * `Refused` if the cursor belongs to another request.
	 */
	read<Place>(cursor: string, parse: (text: string) => Place | null): Place;
	write(place: string): string;
};

/**
 * `filters`: everything that selects items, as the client sent it. A cursor is valid only for the same workspace, route and
 * filters.
 */
export function cursorsFor(
	{ operation }: Pick<Route, 'operation'>,
	workspace_id: string,
	filters: Readonly<Record<string, unknown>>,
): Cursors {
	const presentFilters = Object.entries(filters).filter(([, value]) => value !== undefined);
	const texts = Object.fromEntries(presentFilters.map(([name, value]) => [name, String(value)]));
	const scope = { workspace_id, operation, filters: texts };
	return {
		read(cursor, parse) {
			const text = readCursor(cursor, scope);
			const place = text === null ? null : parse(text);
			if (place !== null) return place;
			throw new Refused({ code: 'invalid_cursor', detail: 'Use a cursor as it was given, with the same filters.' });
		},
		write: (place) => writeCursor(place, scope),
	};
}
