import * as z from 'zod/mini';
import { eventKinds } from '../../domain/webhooks/event.ts';
import { Id, IdParams, listOf, RangeQuery, severalOf, single, Timestamp } from '../kernel/common.ts';
import { route } from '../route.ts';
import { CallStatus, LeadStatus } from '../vocabulary.ts';

// The bodies of webhooks. The domain writes the events, as the specification defines them. These schemas only document the
// events.

const LEAD_EVENT = 'callback.requested';
const callEvents = eventKinds.filter((kind) => kind !== LEAD_EVENT);

export const CallEventData = z.object({
	id: Id,
	workspace_id: Id,
	status: CallStatus,
	duration_seconds: z.nullable(z.int()),
});
export const CallEvent = z.object({ id: Id, event: z.enum(callEvents), created_at: Timestamp, data: CallEventData });

export const CallbackEventData = z.object({
	id: Id,
	workspace_id: Id,
	status: LeadStatus,
	source_url: z.string(),
	/** Present only if the page gave a reference. */
	reference: z.optional(z.string()),
	created_at: Timestamp,
	/** Present only if the person's data was erased. */
	erased_at: z.optional(Timestamp),
});
export const CallbackEvent = z.object({
	id: Id,
	event: z.literal(LEAD_EVENT),
	created_at: Timestamp,
	data: CallbackEventData,
});

/**
 * An event as the API lists it: the envelope exactly as it was made, so that its text is the same as the text of the
 * webhook. A schema of an object would change the order of the fields.
 */
export const WebhookEvent = z.custom<z.infer<typeof CallEvent> | z.infer<typeof CallbackEvent>>();
export const WebhookEventResponse = single(WebhookEvent);
export const WebhookEventListResponse = listOf(WebhookEvent);
export const orders = ['desc', 'asc'] as const;
export const WebhookEventListQuery = z.extend(RangeQuery, {
	event: z.optional(severalOf(eventKinds)),
	order: z._default(z.optional(z.enum(orders)), 'desc'),
});

export const listEvents = route('list-events', 'GET', '/events', {
	summary: 'List events, newest first, or oldest first as a feed',
	permission: 'webhooks:read',
	query: WebhookEventListQuery,
	response: WebhookEventListResponse,
	refusals: ['invalid_cursor', 'cursor_expired'],
});

export const getEvent = route('get-event', 'GET', '/events/{id}', {
	summary: 'Get an event',
	permission: 'webhooks:read',
	params: IdParams,
	response: WebhookEventResponse,
});

export const eventRoutes = [listEvents, getEvent] as const;
