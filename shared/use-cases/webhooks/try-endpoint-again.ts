import { tryAgain } from '../../domain/webhooks/endpoint-machine.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import { putHealth } from './claim-delivery.ts';
import { letWaitingGo } from './resume-endpoint.ts';

const TRIES = 5;

/**
 * A person has an endpoint tried again: its breaker closes, and the sweep sends what it kept waiting. Nothing is written
 * when the breaker is closed.
 */
export async function tryEndpointAgain(
	key: { readonly workspace_id: string; readonly id: string },
	deps: { readonly store: Store; readonly clock: Clock },
): Promise<void> {
	for (let tried = 0; tried < TRIES; tried += 1) {
		const endpoint = await deps.store.get('webhook_endpoint', key);
		const health = endpoint === null ? null : tryAgain(endpoint.health, deps.clock.now());
		if (endpoint === null || health === null) return;
		const outcome = await deps.store.commit([putHealth(endpoint, health), await letWaitingGo(endpoint, deps)]);
		if (outcome.committed) return;
	}
}
