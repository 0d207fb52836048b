import type { CallEvent } from '../../domain/calls/call-aggregation.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import { type Event, makeEvent } from '../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../ports/ports.ts';
import { type Publication, publish } from '../webhooks/event-outbox.ts';

/**
 * The events of a call's change, with a delivery to each endpoint that subscribes to them. Their sequence numbers continue
 * the sequence numbers of the call's earlier events.
 */
export function publishEvents(
	{ event_count }: Pick<CallRecord, 'event_count'>,
	events: readonly CallEvent[],
	endpoints: readonly WebhookEndpoint[],
	nowMs: number,
	ids: Ports['ids'],
): Publication {
	const publications = events.map((event, index) => {
		const sequence = event_count + index + 1;
		return publish(callEvent(event, sequence, ids.next(nowMs), nowMs), endpoints);
	});
	return {
		writes: publications.flatMap(({ writes }) => writes),
		messages: publications.flatMap(({ messages }) => messages),
	};
}

export function callEvent({ kind, data }: CallEvent, sequence: number, id: string, nowMs: number): Event {
	const { id: subject_id, workspace_id } = data;
	return makeEvent({ id, workspace_id, subject_id, kind, sequence, created_at: new Date(nowMs).toISOString(), data });
}
