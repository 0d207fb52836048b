import type * as z from 'zod/mini';
import type { EventKind } from '../../domain/webhooks/event.ts';
import { call_id, created_at, event_id, lead_id, source_url, workspace_id } from '../kernel/example-values.ts';
import { withDescriptions } from '../kernel/operation-docs.ts';
import { CallbackEvent, CallbackEventData, CallEvent, CallEventData } from './events.ts';

const members = {
	id: "The event's id. Use it to deduplicate.",
	event: 'The event type.',
	created_at: 'When the event happened.',
	data: 'The call or callback lead that the event is about.',
};

export const eventComponents = {
	CallEvent: withDescriptions(CallEvent, { description: 'An event about a call.', members }),
	CallEventData: withDescriptions(CallEventData, {
		members: {
			id: 'The id of the call.',
			status: 'The state of the call at that time.',
			duration_seconds: 'Whole seconds that the visitor and the team were connected; null until the call ends.',
		},
	}),
	CallbackEvent: withDescriptions(CallbackEvent, { description: 'An event about a new callback lead.', members }),
	CallbackEventData: withDescriptions(CallbackEventData, {
		members: {
			id: 'The id of the callback lead.',
			reference: "The page's own name for what the lead is about. Absent if it gave none.",
			status: '`pending`.',
		},
	}),
};

type AnyCallEvent = z.infer<typeof CallEvent>;

function callEvent(
	event: AnyCallEvent['event'],
	status: AnyCallEvent['data']['status'],
	duration_seconds: number | null,
): AnyCallEvent {
	const data = { id: call_id, workspace_id, status, duration_seconds };
	return { id: event_id, event, created_at: '2026-11-09T12:03:03.120Z', data };
}

export const eventExamples: Readonly<Record<EventKind, AnyCallEvent | z.infer<typeof CallbackEvent>>> = {
	'call.requested': callEvent('call.requested', 'requested', null),
	'call.ringing': callEvent('call.ringing', 'ringing', null),
	'call.connected': callEvent('call.connected', 'connected', null),
	'call.completed': callEvent('call.completed', 'completed', 161),
	'call.failed': callEvent('call.failed', 'failed', 0),
	'callback.requested': {
		id: '01KA8Z7Q9V5B1D7F3H9K5M1P7R',
		event: 'callback.requested',
		created_at,
		data: { id: lead_id, workspace_id, status: 'pending', source_url, created_at },
	},
};
