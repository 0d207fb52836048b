import { lowestIdAt } from '../../domain/kernel/id.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { type Event, type EventKind, eventKinds } from '../../domain/webhooks/event.ts';
import type { Store } from '../../ports/store.ts';
import { everyItem } from '../kernel/list-page.ts';

export const LEAD_EVENTS: readonly EventKind[] = ['callback.requested'];
export const CALL_EVENTS = eventKinds.filter((kind) => !LEAD_EVENTS.includes(kind));

/**
 * The events of a call or a lead, in order. The key of an event consists of its subject and its kind, so each event is read
 * directly and no query is needed.
 */
export async function eventsOf(
	subject_id: string,
	kinds: readonly EventKind[],
	store: Pick<Store, 'get'>,
): Promise<readonly Event[]> {
	const events = await Promise.all(kinds.map((kind) => store.get('event', { subject_id, kind })));
	return events.filter((event) => event !== null).sort((a, b) => a.sequence - b.sequence);
}

/**
 * All deliveries of an event, including deliveries to endpoints that have been deleted. A delivery's id begins with the
 * time of its event, so this function reads all deliveries of the workspace from that millisecond.
 */
export async function deliveriesOf(event: Event, store: Pick<Store, 'list'>): Promise<readonly Delivery[]> {
	const createdMs = Date.parse(event.created_at);
	const range = { from_id: lowestIdAt(createdMs), before_id: lowestIdAt(createdMs + 1) };
	const deliveries: Delivery[] = [];
	for await (const delivery of everyItem('delivery', event.workspace_id, range, store))
		if (delivery.event_id === event.id) deliveries.push(delivery);
	return deliveries;
}
