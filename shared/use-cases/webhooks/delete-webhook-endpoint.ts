import type { Store } from '../../ports/store.ts';
import { changeRoster, readRoster } from './endpoint-roster.ts';

/**
 * Removes an endpoint; false when there is none. Deliveries of it that are still pending end `canceled` when they
 * come up.
 */
export async function deleteWebhookEndpoint(
	key: { readonly workspace_id: string; readonly id: string },
	store: Store,
): Promise<boolean> {
	for (;;) {
		const endpoint = await store.get('webhook_endpoint', key);
		if (endpoint === null) return false;
		const roster = await readRoster(key.workspace_id, store);
		const guard = { if: 'version', version: endpoint.version } as const;
		const outcome = await store.commit([
			changeRoster(roster, -1),
			{ op: 'remove', record: 'webhook_endpoint', key, guard },
		]);
		if (outcome.committed) return true;
	}
}
