import type { Attempt } from '../../domain/webhooks/delivery.ts';
import { type Event, type EventKind, makeEvent } from '../../domain/webhooks/event.ts';
import { type AttemptDeps, signAndPost } from './attempt-delivery.ts';

/** A sample event of this type, about a subject that does not exist. */
function sampleEvent(kind: EventKind, workspace_id: string, ids: { next(): string }, nowMs: number): Event {
	const created_at = new Date(nowMs).toISOString();
	const id = ids.next();
	const about = { id: ids.next(), workspace_id };
	const data =
		kind === 'callback.requested'
			? { ...about, status: 'pending', source_url: 'https://shop.example/', created_at }
			: { ...about, ...SAMPLES[kind] };
	return makeEvent({ id, workspace_id, subject_id: about.id, kind, sequence: 1, created_at, data });
}

const SAMPLES = {
	'call.requested': { status: 'requested', duration_seconds: null },
	'call.ringing': { status: 'ringing', duration_seconds: null },
	'call.connected': { status: 'connected', duration_seconds: null },
	'call.completed': { status: 'completed', duration_seconds: 42 },
	'call.failed': { status: 'failed', duration_seconds: 0 },
} as const satisfies Record<Exclude<EventKind, 'callback.requested'>, object>;

/**
 * Sends a signed sample event now and returns the result. This function stores nothing and does not retry. It checks the
 * address and signs the event as for every attempt. Null if there is no such endpoint.
 */
export async function testWebhookEndpoint(
	key: { readonly workspace_id: string; readonly id: string },
	kind: EventKind,
	deps: Pick<AttemptDeps, 'store' | 'clock' | 'ids' | 'vault' | 'sender'>,
): Promise<Attempt | null> {
	const endpoint = await deps.store.get('webhook_endpoint', key);
	if (endpoint === null) return null;
	const event = sampleEvent(kind, key.workspace_id, deps.ids, deps.clock.now());
	const { attempt } = await signAndPost(endpoint, event, { delivery_id: deps.ids.next(), number: 1 }, deps);
	return attempt;
}
