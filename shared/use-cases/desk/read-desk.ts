import type { CallRecord } from '../../domain/calls/call-record.ts';
import type { DeskChange } from '../../domain/desk/desk-change.ts';
import { lowestIdAt } from '../../domain/kernel/id.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import type { ListedName, Records } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';
import { listPage, type Page } from '../kernel/list-page.ts';

type Deps = { readonly store: Pick<Store, 'list'> };

/** Calls, and lines of the audit list, on one page. */
const PER_PAGE = 20;
/** The most waiting leads on the page of today. */
const MOST_WAITING = 50;
/** The numbers of a month read at most this many calls and leads each; beyond, they are those of the newest. */
export const MOST_COUNTED = 2000;

/** The page of today: calls, newest first, and the leads that wait. `before_id`: where the page of calls starts. */
export async function today(
	workspace_id: string,
	before_id: string | null,
	{ store }: Deps,
): Promise<{ readonly calls: Page<CallRecord>; readonly waiting: readonly CallbackLead[] }> {
	const all = { workspace_id, from_id: null } as const;
	const [calls, waiting] = await Promise.all([
		listPage('call', { ...all, before_id, limit: PER_PAGE }, () => true, store),
		listPage('callback_lead', { ...all, before_id: null, limit: MOST_WAITING }, isPending, store),
	]);
	return { calls, waiting: waiting.items };
}

const isPending = ({ status }: CallbackLead): boolean => status === 'pending';

/** One page of the audit list, newest first. */
export const changesOf = (workspace_id: string, before_id: string | null, { store }: Deps): Promise<Page<DeskChange>> =>
	listPage('desk_change', { workspace_id, from_id: null, before_id, limit: PER_PAGE }, () => true, store);

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
