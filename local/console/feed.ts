import { readPage } from './ask.ts';
import type { ListPage } from './wire.ts';

/** What the reader filters a list by; an empty string matches everything. */
export type Choice = { readonly state: string; readonly search: string };

/** Pages that a search reads without a match before it stops. */
const MOST_PAGES = 40;

type Source<I, P extends ListPage<I>> = {
	/** The route of the list. */
	readonly list: string;
	/** Sorts by time. */
	readonly keyOf: (item: I) => string;
	readonly workspace: () => string;
	/** Called with every page. */
	readonly took?: (page: P) => void;
	/** Called when the items to show have changed. */
	readonly onChange: () => void;
};

/**
 * A list of which the page has a part: the newest items of the reader's choice, and older ones on demand. The server
 * searches all of it.
 */
export function feed<I, P extends ListPage<I> = ListPage<I>>({
	list,
	keyOf,
	workspace,
	took,
	onChange: changed,
}: Source<I, P>) {
	let choice: Choice = { state: '', search: '' };
	let items = new Map<string, I>();
	let next: string | null = null;
	/** Null until the first page has come. */
	let loading: boolean | null = null;
	let latest = 0;

	const query = (before: string) => ({ workspace: workspace(), ...choice, before });
	const take = (page: P): void => {
		for (const item of page.data) items.set(keyOf(item), item);
		took?.(page);
	};

	/** Reads on from `before` until there is something to show. */
	async function readOn(before: string, run: number): Promise<void> {
		loading = loading === null ? null : true;
		changed();
		let from: string | null = before;
		for (let pages = 0; pages < MOST_PAGES && from !== null; pages += 1) {
			const page: P = await readPage<P>(list, query(from));
			if (run !== latest) return;
			if (from === '') items = new Map();
			take(page);
			next = page.next;
			from = page.data.length > 0 ? null : next;
		}
		loading = false;
		changed();
	}

	/** Reads the newest items: with another filter, or the same again. */
	function load(filter: Choice = choice): Promise<void> {
		choice = filter;
		return readOn('', ++latest);
	}

	/** Reads the newest items again; older ones stay. */
	async function refresh(): Promise<void> {
		const run = latest;
		const page = await readPage<P>(list, query(''));
		if (run !== latest || loading !== false) return;
		const oldest = page.data.at(-1);
		const older = [...items].filter(([key]) => oldest !== undefined && page.next !== null && key < keyOf(oldest));
		items = new Map(older);
		if (older.length === 0) next = page.next;
		take(page);
		changed();
	}

	return {
		load,
		refresh,
		more: async (): Promise<void> => (next === null ? undefined : readOn(next, latest)),
		/** Takes items that are new or have changed. */
		merge(fresh: readonly I[]): void {
			if (fresh.length === 0 || loading === null) return;
			if (choice.state !== '' || choice.search !== '') {
				void refresh().catch(() => undefined);
				return;
			}
			for (const item of fresh) items.set(keyOf(item), item);
			changed();
		},
		/** Newest first. */
		items: (): readonly I[] => [...items].sort(([a], [b]) => b.localeCompare(a)).map(([, item]) => item),
		hasMore: () => next !== null,
		/** Whether a page is being read; null: it is the first one. */
		loading: () => loading,
		choosesAll: () => choice.state === '' && choice.search === '',
	};
}
