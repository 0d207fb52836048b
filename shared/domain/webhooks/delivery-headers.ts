import type { Event } from './event.ts';

/** The headers that a delivery has beside its signature and the receiver's own. */
export function deliveryHeaders(
	{ kind, sequence }: Pick<Event, 'kind' | 'sequence'>,
	{ delivery_id, number }: { readonly delivery_id: string; readonly number: number },
) {
	return {
		'content-type': 'application/json',
		'user-agent': 'Call-Back-Webhooks/1',
		'service-event': kind,
		'service-delivery': delivery_id,
		'service-attempt': String(number),
		'service-sequence': String(sequence),
	};
}
