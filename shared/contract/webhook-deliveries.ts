import * as z from 'zod/mini';
import { attemptErrors, deliveryStatuses } from '../domain/delivery.ts';
import { eventKinds } from '../domain/event.ts';
import { Id, listOf, listQuery, single, Timestamp } from './common.ts';

const Milliseconds = z.nullable(z.number());

export const Attempt = z.object({
	number: z.int(),
	started_at: Timestamp,
	response_status: z.nullable(z.int()),
	error: z.nullable(z.enum(attemptErrors)),
	/** What happened and what to do, in a sentence. */
	hint: z.nullable(z.string()),
	timings: z.object({
		dns_ms: Milliseconds,
		connect_ms: Milliseconds,
		tls_ms: Milliseconds,
		first_byte_ms: Milliseconds,
		total_ms: z.number(),
	}),
	/** The first 4 KiB, as text. */
	response_body: z.nullable(z.string()),
});

export const WebhookDelivery = z.object({
	id: Id,
	endpoint_id: Id,
	event_id: Id,
	event: z.enum(eventKinds),
	status: z.enum(deliveryStatuses),
	attempt_count: z.int(),
	next_attempt_at: z.nullable(Timestamp),
	last_attempt_at: z.nullable(Timestamp),
	response_status: z.nullable(z.int()),
	error: z.nullable(z.enum(attemptErrors)),
	created_at: Timestamp,
});
export const WebhookDeliveryResponse = single(WebhookDelivery);
export const WebhookDeliveryDetailResponse = single(z.extend(WebhookDelivery, { attempts: z.array(Attempt) }));
export const WebhookDeliveryListResponse = listOf(WebhookDelivery);
export const WebhookDeliveryListQuery = z.extend(listQuery(deliveryStatuses), {
	endpoint_id: z.optional(Id),
	event: z.optional(z.enum(eventKinds)),
	event_id: z.optional(Id),
});
