import type { EndpointRoster } from '../../ports/registry.ts';
import type { Put, Store } from '../../ports/store.ts';

/**
 * The workspace's number of endpoints. If the workspace has never had an endpoint, no record exists, and the number is 0.
 */
export async function readRoster(workspace_id: string, store: Store): Promise<EndpointRoster> {
	return (await store.get('endpoint_roster', { workspace_id })) ?? { workspace_id, version: 0, count: 0 };
}

/**
 * The write that adds 1 to the number of endpoints, or subtracts 1. The store refuses the write if the number has changed
 * since it was read.
 */
export function changeRoster(roster: EndpointRoster, by: 1 | -1): Put<'endpoint_roster'> {
	return {
		op: 'put',
		record: 'endpoint_roster',
		item: { ...roster, version: roster.version + 1, count: roster.count + by },
		guard: roster.version === 0 ? { if: 'absent' } : { if: 'version', version: roster.version },
	};
}
