import { tryAgain } from '../../domain/webhooks/endpoint-machine.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import { change } from '../kernel/change.ts';
import { putHealth } from './claim-delivery.ts';
import { letWaitingGo } from './resume-endpoint.ts';

/**
 * A person has an endpoint tried again: its breaker closes, and the sweep sends what it kept waiting. Nothing is written
 * when the breaker is closed.
 */
export async function tryEndpointAgain(
	key: { readonly workspace_id: string; readonly id: string },
	deps: { readonly store: Store; readonly clock: Clock },
): Promise<void> {
	await change(
		{
			read: () => deps.store.get('webhook_endpoint', key),
			decide: async (endpoint) => {
				const health = endpoint === null ? null : tryAgain(endpoint.health, deps.clock.now());
				if (endpoint === null || health === null) return { result: null };
				return {
					result: null,
					writes: { endpoint: putHealth(endpoint, health), resumption: await letWaitingGo(endpoint, deps) },
				};
			},
		},
		deps,
	);
}
