import type * as z from 'zod/mini';
import type { EventKind } from '../../domain/webhooks/event.ts';
import { SETTLING_SECONDS } from '../../domain/webhooks/event-feed.ts';
import {
	callId,
	created_at,
	event_id,
	exampleFirstPage,
	leadId,
	source_url,
	workspace_id,
} from '../kernel/example-values.ts';
import { type Docs, withDescriptions } from '../kernel/operation-docs.ts';
import { EventKind as EventKindSchema } from '../vocabulary.ts';
import {
	CallbackEvent,
	CallbackEventData,
	CallEvent,
	CallEventData,
	type eventRoutes,
	WebhookEvent,
	WebhookEventListResponse,
	WebhookEventResponse,
} from './events.ts';

const members = {
	id: "The event's id. Use it to deduplicate.",
	event: 'The event type.',
	created_at: 'When the event happened.',
	data: 'The call or callback lead that the event is about.',
};

const eventComponents = {
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
			erased_at: 'When the person was erased, and `reference` with them. Absent if they were not.',
		},
	}),
	WebhookEvent: { schema: WebhookEvent, description: 'An event as webhooks send it, byte for byte.' },
	WebhookEventResponse: { schema: WebhookEventResponse },
	WebhookEventList: {
		schema: WebhookEventListResponse,
		members: {
			data: 'Newest first; oldest first with `order=asc`.',
			has_more: 'Whether there is another page now.',
			next_cursor:
				'To get the next page, send this as `cursor` with the same filters. Newest first, it is null on the last page. With `order=asc`, it also leads from the last page to later events, and is null only if `to` has passed.',
		},
	},
};

type AnyCallEvent = z.infer<typeof CallEvent>;

function callEvent(
	event: AnyCallEvent['event'],
	status: AnyCallEvent['data']['status'],
	duration_seconds: number | null,
): AnyCallEvent {
	const data = { id: callId, workspace_id, status, duration_seconds };
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
		data: { id: leadId, workspace_id, status: 'pending', source_url, created_at },
	},
};

export const eventDocs = {
	tag: { name: 'Events', description: 'What webhooks send, to be fetched: every event of the last 30 days.' },
	operations: {
		'list-events': {
			text: `Each item is the body of the webhook, byte for byte. With \`order=asc\` it is a feed: go on from \`next_cursor\`, and you get each event once. The feed ends ${SETTLING_SECONDS} seconds before now, because an event can become visible later than one that was created after it. A cursor older than 30 days is refused (\`cursor_expired\`), because events after it are gone.`,
			several: { event: EventKindSchema },
			answer: { data: [eventExamples['call.completed']], ...exampleFirstPage },
		},
		'get-event': {
			text: 'Returns one event of the last 30 days. It can be found a moment after it was created.',
			answer: { data: eventExamples['call.completed'] },
		},
	},
	components: eventComponents,
} satisfies Docs<typeof eventRoutes>;
