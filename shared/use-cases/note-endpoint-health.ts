import type { AttemptOutcome } from '../domain/attempt-outcome.ts';
import { afterFailure, afterSuccess } from '../domain/endpoint-health.ts';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';

/** The endpoint after an attempt; null when nothing is to be written. */
function afterOutcome(
	endpoint: WebhookEndpoint,
	outcome: AttemptOutcome['outcome'],
	now: number,
	log: Log,
): WebhookEndpoint | null {
	const updated_at = new Date(now).toISOString();
	const next = { ...endpoint, version: endpoint.version + 1 };
	if (outcome === 'succeeded') {
		const health = afterSuccess(endpoint.health);
		return health === null ? null : { ...next, health };
	}
	if (outcome === 'gone') {
		log.warn('endpoint disabled', { endpoint_id: endpoint.id, outcome });
		return { ...next, status: 'disabled', disabled_reason: 'gone', updated_at };
	}
	const { health, warn, disable } = afterFailure(endpoint.health, now);
	if (warn !== null) log.warn('endpoint failing', { endpoint_id: endpoint.id, outcome: warn });
	if (!disable) return { ...next, health };
	log.warn('endpoint disabled', { endpoint_id: endpoint.id, outcome: 'failing' });
	return { ...next, health, status: 'disabled', disabled_reason: 'failing', updated_at };
}

/** Attempts that fail together are all counted, so that the breaker trips after the first of them that waited in vain. */
const TRIES = 5;

/**
 * Notes what an attempt says of its endpoint. A healthy endpoint that succeeds is never written, so it is no hot item;
 * a failing one is written by whoever comes first, the others after them.
 */
export async function noteHealth(
	seen: WebhookEndpoint,
	outcome: AttemptOutcome['outcome'],
	{ store, clock, log }: { readonly store: Store; readonly clock: Clock; readonly log: Log },
): Promise<void> {
	if (outcome === 'succeeded' && seen.health.failing_since === null) return;
	for (let tried = 0; tried < TRIES; tried += 1) {
		const endpoint = await store.get('webhook_endpoint', { workspace_id: seen.workspace_id, id: seen.id });
		if (endpoint === null) return;
		// Begun before the breaker tripped: counted, it would only make the hold longer.
		const late = seen.health.held_until === null && endpoint.health.held_until !== null;
		if (late && (outcome === 'retry' || outcome === 'exhausted')) return;
		const item = afterOutcome(endpoint, outcome, clock.now(), log);
		if (item === null) return;
		const guard = { if: 'version', version: endpoint.version } as const;
		const written = await store.commit([{ op: 'put', record: 'webhook_endpoint', item, guard }]);
		if (written.committed) return;
	}
}
