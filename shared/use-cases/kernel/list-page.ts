import type { ListedName, ListPart, Records } from '../../ports/registry.ts';
import type { ListRange, Store } from '../../ports/store.ts';

/** Maximum items read for one page: if a filter matches little, the page is short and has a cursor to continue. */
const SCAN_LIMIT = 500;
/** Maximum items in one read, after the filter has accepted too few of the earlier ones. */
const BATCH_LIMIT = 100;

export type Page<T> = {
	readonly items: readonly T[];
	/** Where the next page starts (exclusive); null on the last page. */
	readonly next_before_id: string | null;
};

/**
 * One page, newest first, of the accepted items in the range. Ids sort by time, so an item that existed throughout appears
 * exactly once, even while others are added or changed.
 */
export async function listPage<N extends ListedName>(
	record: N,
	range: {
		readonly workspace_id: string;
		readonly from_id: string | null;
		readonly before_id: string | null;
		readonly limit: number;
		/** Only records that are in one of these parts; absent: all. */
		readonly parts?: readonly ListPart[] | undefined;
	},
	accept: (item: Records[N]) => boolean,
	store: Pick<Store, 'list'>,
): Promise<Page<Records[N]>> {
	const items: Records[N][] = [];
	let before_id = range.before_id;
	let limit = range.limit + 1;
	for (let items_read = 0; items_read < SCAN_LIMIT; limit = Math.max(limit, Math.min(2 * limit, BATCH_LIMIT))) {
		const batch = await inParts(record, range, { from_id: range.from_id, before_id, limit }, store);
		for (const item of batch) {
			if (items.length === range.limit && accept(item)) return { items, next_before_id: before_id };
			if (accept(item)) items.push(item);
			before_id = item.id;
		}
		if (batch.length < limit) return { items, next_before_id: null };
		items_read += batch.length;
	}
	return { items, next_before_id: before_id };
}

/** The newest of all parts. A record that changes its status meanwhile may be in two. */
async function inParts<N extends ListedName>(
	record: N,
	{
		workspace_id,
		parts = [undefined],
	}: { workspace_id: string; parts?: readonly (ListPart | undefined)[] | undefined },
	range: ListRange,
	store: Pick<Store, 'list'>,
): Promise<readonly Records[N][]> {
	const lists = await Promise.all(parts.map((part) => store.list(record, workspace_id, { ...range, part })));
	const [only] = lists;
	if (only !== undefined && lists.length === 1) return only;
	const items = new Map(lists.flat().map((item) => [item.id, item]));
	return [...items.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, range.limit);
}

/** Every item of a range, oldest first. */
export async function* everyItem<N extends ListedName>(
	record: N,
	workspace_id: string,
	range: Omit<ListRange, 'limit' | 'oldest_first'>,
	store: Pick<Store, 'list'>,
): AsyncGenerator<Records[N]> {
	let from_id = range.from_id;
	let last: string | null = null;
	for (;;) {
		const query = { ...range, from_id, limit: BATCH_LIMIT, oldest_first: true } as const;
		const page: readonly Records[N][] = await store.list(record, workspace_id, query);
		for (const item of page) if (item.id !== last) yield item;
		last = page.at(-1)?.id ?? null;
		if (last === null || page.length < BATCH_LIMIT) return;
		from_id = last;
	}
}
