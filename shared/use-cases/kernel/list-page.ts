import type { ListedName, Records } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';

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
	},
	accept: (item: Records[N]) => boolean,
	store: Pick<Store, 'list'>,
): Promise<Page<Records[N]>> {
	const items: Records[N][] = [];
	let before_id = range.before_id;
	let limit = range.limit + 1;
	for (let items_read = 0; items_read < SCAN_LIMIT; limit = Math.max(limit, Math.min(2 * limit, BATCH_LIMIT))) {
		const batch = await store.list(record, range.workspace_id, { from_id: range.from_id, before_id, limit });
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
