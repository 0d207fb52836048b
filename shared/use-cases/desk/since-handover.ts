import type { ApiKey } from '../../domain/access/api-key.ts';
import type { DeskChange } from '../../domain/desk/desk-change.ts';
import { lowestIdAt } from '../../domain/kernel/id.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import { mayBeUndone } from '../../domain/workspaces/handover.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { ListedName, Records } from '../../ports/registry.ts';
import type { ListRange, Store } from '../../ports/store.ts';
import { everyItem } from '../kernel/list-page.ts';

// After an owner has restored a desk that a thief had taken over, API keys and webhook endpoints that the thief made may
// still work. This file lists all keys, endpoints and changes of the desk from the day before the restoration, also those
// of other people.

/**
 * How long before the restoration of the desk the list begins. A thief with a stolen cookie may have acted some time before
 * the handover.
 */
const LOOK_BACK_MS = 24 * 3_600_000;
/** The most changes in the list, so that the page stays short. The page *Activity* lists all changes. */
const MOST_CHANGES = 30;

export type MadeMeanwhile = {
	readonly put_back_at: string;
	/** Keys and endpoints that still work. */
	readonly keys: readonly ApiKey[];
	readonly endpoints: readonly WebhookEndpoint[];
	/** Newest first. */
	readonly changes: readonly DeskChange[];
};

/**
 * The API keys, webhook endpoints and changes that were made at a desk in the day before an owner restored the desk. The
 * list is shown for a day after the restoration. Null if the desk was not restored, or if there is nothing to show. The
 * list does not depend on who made a key, an endpoint or a change, because a thief with an owner's session acts in the
 * owner's name. `isShown` selects the changes to show.
 */
export async function madeMeanwhile(
	workspace: Workspace,
	isShown: (change: DeskChange) => boolean,
	{ store, now_ms }: { readonly store: Pick<Store, 'list' | 'endpointsOf'>; readonly now_ms: number },
): Promise<MadeMeanwhile | null> {
	const { id, put_back_at } = workspace;
	if (put_back_at === undefined || mayBeUndone(workspace, now_ms)) return null;
	const untilMs = Date.parse(put_back_at);
	const from = new Date(untilMs - LOOK_BACK_MS).toISOString();
	const range = { from_id: lowestIdAt(untilMs - LOOK_BACK_MS), before_id: lowestIdAt(untilMs + 1) };
	const keys = await allOf('api_key', id, range, store);
	const endpoints = await store.endpointsOf(id);
	const changes = await allOf('desk_change', id, range, store);
	const made = {
		keys: keys.filter(({ revoked_at }) => revoked_at === null),
		endpoints: endpoints.filter(
			({ status, created_at }) => status === 'enabled' && from <= created_at && created_at <= put_back_at,
		),
		changes: changes.filter(isShown).reverse().slice(0, MOST_CHANGES),
	};
	return Object.values(made).every(({ length }) => length === 0) ? null : { put_back_at, ...made };
}

async function allOf<N extends ListedName>(
	record: N,
	workspaceId: string,
	range: Pick<ListRange, 'from_id' | 'before_id'>,
	store: Pick<Store, 'list'>,
): Promise<readonly Records[N][]> {
	const items: Records[N][] = [];
	for await (const item of everyItem(record, workspaceId, range, store)) items.push(item);
	return items;
}
