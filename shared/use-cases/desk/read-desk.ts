import type { CallRecord } from '../../domain/calls/call-record.ts';
import type { DeskChange } from '../../domain/desk/desk-change.ts';
import { lowestIdAt } from '../../domain/kernel/id.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import type { ListedName, Records } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';
import { listPage, type Page } from '../kernel/list-page.ts';

type Deps = { readonly store: Pick<Store, 'list'> };

/** Calls, waiting leads and lines of the audit list on one page, which stays below 30 KB. */
const PER_PAGE = { calls: 10, waiting: 6, changes: 20 } as const;
/** The numbers of a month read at most this many calls and leads each; beyond, they are those of the newest. */
export const MOST_COUNTED = 2000;

/** Where a page of a list starts; null: at its newest. */
export type Before = { readonly calls: string | null; readonly waiting: string | null };

/** The page of today: calls and the leads that wait, each newest first. */
export async function today(
	workspace_id: string,
	before: Before,
	{ store }: Deps,
): Promise<{ readonly calls: Page<CallRecord>; readonly waiting: Page<CallbackLead> }> {
	const all = { workspace_id, from_id: null } as const;
	const [calls, waiting] = await Promise.all([
		listPage('call', { ...all, before_id: before.calls, limit: PER_PAGE.calls }, () => true, store),
		listPage('callback_lead', { ...all, before_id: before.waiting, limit: PER_PAGE.waiting }, isPending, store),
	]);
	return { calls, waiting };
}

const isPending = ({ status }: CallbackLead): boolean => status === 'pending';

/** One page of the audit list, newest first. */
export const changesOf = (workspace_id: string, before_id: string | null, { store }: Deps): Promise<Page<DeskChange>> =>
	listPage('desk_change', { workspace_id, from_id: null, before_id, limit: PER_PAGE.changes }, () => true, store);

/** The newest calls or leads since an instant, newest first, at most `MOST_COUNTED`. */
export async function since<N extends Extract<ListedName, 'call' | 'callback_lead'>>(
	record: N,
	workspace_id: string,
	from_ms: number,
	{ store }: Deps,
): Promise<readonly Records[N][]> {
	const items: Records[N][] = [];
	for (let before_id: string | null = null; items.length < MOST_COUNTED; before_id = items.at(-1)?.id ?? null) {
		const range = { from_id: lowestIdAt(from_ms), before_id, limit: 500 };
		const batch = await store.list(record, workspace_id, range);
		items.push(...batch);
		if (batch.length < range.limit) break;
	}
	return items.slice(0, MOST_COUNTED);
}
