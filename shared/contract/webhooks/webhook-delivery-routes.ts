import { IdParams, Nothing } from '../kernel/common.ts';
import type { Route } from '../route.ts';
import * as schemas from './webhook-deliveries.ts';

export const listWebhookDeliveries = {
	operation: 'list-webhook-deliveries',
	method: 'GET',
	path: '/webhook-deliveries',
	summary: 'List webhook deliveries, newest first',
	surface: 'server',
	permission: 'webhooks:read',
	idempotent: false,
	success: 200,
	params: Nothing,
	query: schemas.WebhookDeliveryListQuery,
	body: Nothing,
	response: schemas.WebhookDeliveryListResponse,
	refusals: ['invalid_cursor'],
} as const satisfies Route;

export const getWebhookDelivery = {
	operation: 'get-webhook-delivery',
	method: 'GET',
	path: '/webhook-deliveries/{id}',
	summary: 'Get a webhook delivery with its attempts',
	surface: 'server',
	permission: 'webhooks:read',
	idempotent: false,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: Nothing,
	response: schemas.WebhookDeliveryDetailResponse,
	refusals: [],
} as const satisfies Route;

export const retryWebhookDelivery = {
	operation: 'retry-webhook-delivery',
	method: 'POST',
	path: '/webhook-deliveries/{id}/retry',
	summary: 'Retry a webhook delivery',
	surface: 'server',
	permission: 'webhooks:write',
	idempotent: true,
	success: 202,
	params: IdParams,
	query: Nothing,
	body: Nothing,
	response: schemas.WebhookDeliveryResponse,
	refusals: ['delivery_in_progress', 'endpoint_deleted', 'endpoint_disabled'],
} as const satisfies Route;
