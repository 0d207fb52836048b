import * as z from 'zod/mini';
import { deliveryStatuses } from '../../domain/webhooks/delivery.ts';
import { Id, IdParams, listOf, listQuery, single, Timestamp } from '../kernel/common.ts';
import { route } from '../route.ts';
import { AttemptError, DeliveryStatus, EventKind } from '../vocabulary.ts';

const Milliseconds = z.nullable(z.number());

export const Timings = z.object({
	dns_ms: Milliseconds,
	connect_ms: Milliseconds,
	tls_ms: Milliseconds,
	first_byte_ms: Milliseconds,
	total_ms: z.number(),
});

export const Attempt = z.object({
	number: z.int(),
	started_at: Timestamp,
	response_status: z.nullable(z.int()),
	error: z.nullable(AttemptError),
	hint: z.nullable(z.string()),
	timings: Timings,
	response_body: z.nullable(z.string()),
});
export const AttemptResponse = single(Attempt);

export const WebhookDelivery = z.object({
	id: Id,
	endpoint_id: Id,
	event_id: Id,
	event: EventKind,
	status: DeliveryStatus,
	attempt_count: z.int(),
	next_attempt_at: z.nullable(Timestamp),
	last_attempt_at: z.nullable(Timestamp),
	response_status: z.nullable(z.int()),
	error: z.nullable(AttemptError),
	created_at: Timestamp,
});
export const WebhookDeliveryResponse = single(WebhookDelivery);
export const DeliveryRequest = z.object({ headers: z.record(z.string(), z.string()), body: z.string() });
export const WebhookDeliveryDetail = z.extend(WebhookDelivery, {
	request: z.nullable(DeliveryRequest),
	attempts: z.array(Attempt),
});
export const WebhookDeliveryDetailResponse = single(WebhookDeliveryDetail);
export const WebhookDeliveryListResponse = listOf(WebhookDelivery);
export const WebhookDeliveryListQuery = z.extend(listQuery(deliveryStatuses), {
	endpoint_id: z.optional(Id),
	event: z.optional(EventKind),
	event_id: z.optional(Id),
});

export const listWebhookDeliveries = route('list-webhook-deliveries', 'GET', '/webhook-deliveries', {
	summary: 'List webhook deliveries, newest first',
	permission: 'webhooks:read',
	query: WebhookDeliveryListQuery,
	response: WebhookDeliveryListResponse,
	refusals: ['invalid_cursor'],
});

export const getWebhookDelivery = route('get-webhook-delivery', 'GET', '/webhook-deliveries/{id}', {
	summary: 'Get a webhook delivery with what it sends and its attempts',
	permission: 'webhooks:read',
	params: IdParams,
	response: WebhookDeliveryDetailResponse,
});

export const retryWebhookDelivery = route('retry-webhook-delivery', 'POST', '/webhook-deliveries/{id}/retry', {
	summary: 'Retry a webhook delivery',
	permission: 'webhooks:write',
	idempotent: true,
	success: 202,
	params: IdParams,
	response: WebhookDeliveryResponse,
	refusals: ['delivery_in_progress', 'endpoint_deleted', 'endpoint_disabled'],
});

export const webhookDeliveryRoutes = [listWebhookDeliveries, getWebhookDelivery, retryWebhookDelivery] as const;
