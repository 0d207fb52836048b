import { idAfter } from '../../domain/kernel/id.ts';
import type { ListedName, ListPart, Records } from '../../ports/registry.ts';
import type { ListRange, Store } from '../../ports/store.ts';

/**
 * After this many items were read for one page, no further items are read. If few of them match the filter, the page is
 * short and has a cursor to continue.
 */
const SCAN_LIMIT = 500;
/**
 * The first read of a page fetches one item more than fits on the page. If it finds too few matching items, each further
 * read is larger, up to this limit.
 */
const BATCH_LIMIT = 100;

export type Page<T> = {
	readonly items: readonly T[];
	/** The next page has the items with ids below this id. Null on the last page. */
	readonly next_before_id: string | null;
};

type PageRange = {
	readonly workspace_id: string;
	readonly from_id: string | null;
	readonly before_id: string | null;
	readonly limit: number;
	/** Only records that are in one of these parts of the list. If absent, the records of all parts. */
	readonly parts?: readonly ListPart[] | undefined;
};

/**
 * One page of the range, newest first: the items for which `accept` returns true. Ids sort by time. So an item that exists
 * from the first page to the last appears exactly once, even while other items are added or changed.
 */
export async function listPage<N extends ListedName>(
	record: N,
	range: PageRange,
	accept: (item: Records[N]) => boolean,
	store: Pick<Store, 'list'>,
): Promise<Page<Records[N]>> {
	const read = (before_id: string | null, limit: number) =>
		inParts(range.parts, limit, (part) =>
			store.list(record, range.workspace_id, { from_id: range.from_id, before_id, limit, part }),
		);
	const { items, next } = await scan({ start: range.before_id, limit: range.limit, read, after: idOf, accept });
	return { items, next_before_id: next };
}

/** The kinds of records that `searchPage` can search. */
export type SearchedName = 'call' | 'callback_lead' | 'delivery';
export type Filter<T, F extends keyof T> = {
	/** The fields that `accept` looks at. */
	readonly fields: readonly F[];
	readonly accept: (item: Pick<T, F>) => boolean;
};

/**
 * Like `listPage`, for a filter that perhaps few items match. Only the filter's fields are read of the items that it goes
 * through, and the rest only of the items on the page. So the page may have fewer items, if some have just been changed. It
 * goes through at most `most` items.
 */
export async function searchPage<N extends SearchedName, F extends keyof Records[N]>(
	record: N,
	{ most = SCAN_LIMIT, ...range }: PageRange & { readonly most?: number },
	{ fields, accept }: Filter<Records[N], F>,
	store: Pick<Store, 'get' | 'listFields'>,
): Promise<Page<Records[N]>> {
	const read = (before_id: string | null, limit: number) =>
		inParts(range.parts, limit, (part) =>
			store.listFields(record, range.workspace_id, { from_id: range.from_id, before_id, limit, part }, fields),
		);
	const from = { start: range.before_id, limit: range.limit, most };
	const { items, next } = await scan({ ...from, read, after: idOf, accept });
	const found: readonly (Records[N] | null)[] = await Promise.all(items.map(({ id }) => store.get(record, { id })));
	return { items: found.flatMap((item) => (item !== null && accept(item) ? [item] : [])), next_before_id: next };
}

const idOf = ({ id }: { readonly id: string }): string => id;

type Scan<T, Place> = {
	readonly start: Place;
	readonly limit: number;
	/** Reads up to `limit` items in order, starting at a place. If `read` returns fewer items, the list has ended. */
	readonly read: (place: Place, limit: number) => Promise<readonly T[]>;
	/** The place directly after an item. */
	readonly after: (item: T) => Place;
	readonly accept: (item: T) => boolean;
	/** After this many items were read, no further items are read. */
	readonly most?: number;
};

/** The next `limit` accepted items, and the place at which to continue. The place is null at the end of the list. */
async function scan<T, Place>({ start, limit, read, after, accept, most = SCAN_LIMIT }: Scan<T, Place>) {
	const items: T[] = [];
	let place = start;
	let batchLimit = limit + 1;
	for (let itemsRead = 0; itemsRead < most; batchLimit = Math.min(nextBatch(batchLimit), most - itemsRead)) {
		const batch = await read(place, batchLimit);
		for (const item of batch) {
			if (items.length === limit && accept(item)) return { items, next: place };
			if (accept(item)) items.push(item);
			place = after(item);
		}
		if (batch.length < batchLimit) return { items, next: null };
		itemsRead += batch.length;
	}
	return { items, next: place };
}

const nextBatch = (batch: number): number => Math.max(batch, Math.min(2 * batch, BATCH_LIMIT));

/**
 * The accepted items from `from_id` up to `before_id`, oldest first. The next page starts at `next_from_id`, even if no
 * item has that id. After the last page, `next_from_id` equals `before_id`.
 */
export async function pageOldestFirst<N extends ListedName>(
	record: N,
	range: {
		readonly workspace_id: string;
		readonly from_id: string;
		readonly before_id: string;
		readonly limit: number;
	},
	accept: (item: Records[N]) => boolean,
	store: Pick<Store, 'list'>,
): Promise<{ readonly items: readonly Records[N][]; readonly next_from_id: string; readonly has_more: boolean }> {
	const { workspace_id, from_id: start, before_id, limit } = range;
	const read = (from_id: string, batchLimit: number): Promise<readonly Records[N][]> =>
		store.list(record, workspace_id, { from_id, before_id, limit: batchLimit, oldest_first: true });
	const { items, next } = await scan({ start, limit, read, after: ({ id }) => idAfter(id), accept });
	return { items, next_from_id: next ?? before_id, has_more: next !== null };
}

/**
 * The newest records of all these parts together. A record whose status changes during the read may be in two parts, so
 * each record is returned only once.
 */
async function inParts<T extends { readonly id: string }>(
	parts: readonly (ListPart | undefined)[] = [undefined],
	limit: number,
	read: (part: ListPart | undefined) => Promise<readonly T[]>,
): Promise<readonly T[]> {
	const lists = await Promise.all(parts.map(read));
	const [only] = lists;
	if (only !== undefined && lists.length === 1) return only;
	const items = new Map(lists.flat().map((item) => [item.id, item]));
	return [...items.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}

/** Yields every item of a range, oldest first. */
export async function* everyItem<N extends ListedName>(
	record: N,
	workspaceId: string,
	range: Omit<ListRange, 'limit' | 'oldest_first'>,
	store: Pick<Store, 'list'>,
): AsyncGenerator<Records[N]> {
	let from_id = range.from_id;
	let last: string | null = null;
	for (;;) {
		const query = { ...range, from_id, limit: BATCH_LIMIT, oldest_first: true } as const;
		const page: readonly Records[N][] = await store.list(record, workspaceId, query);
		for (const item of page) if (item.id !== last) yield item;
		last = page.at(-1)?.id ?? null;
		if (last === null || page.length < BATCH_LIMIT) return;
		from_id = last;
	}
}
