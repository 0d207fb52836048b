import type { Event } from './event.ts';

/** The headers of a delivery, apart from its signature and the customer's own headers. */
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
