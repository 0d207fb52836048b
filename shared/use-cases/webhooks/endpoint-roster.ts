import type { EndpointRoster } from '../../ports/registry.ts';
import type { Put, Store } from '../../ports/store.ts';

/** How many endpoints there are; a workspace without any has none written yet. */
export async function readRoster(workspace_id: string, store: Store): Promise<EndpointRoster> {
	return (await store.get('endpoint_roster', { workspace_id })) ?? { workspace_id, version: 0, count: 0 };
}

/** Counts one more or one fewer, unless the count has changed since it was read. */
export function changeRoster(roster: EndpointRoster, by: 1 | -1): Put<'endpoint_roster'> {
	return {
		op: 'put',
		record: 'endpoint_roster',
		item: { ...roster, version: roster.version + 1, count: roster.count + by },
		guard: roster.version === 0 ? { if: 'absent' } : { if: 'version', version: roster.version },
	};
}
