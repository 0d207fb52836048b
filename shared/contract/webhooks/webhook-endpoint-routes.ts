import { Empty, IdParams, Nothing, OnePageQuery } from '../kernel/common.ts';
import type { Route } from '../route.ts';
import * as schemas from './webhook-endpoints.ts';

export const createWebhookEndpoint = {
	operation: 'create-webhook-endpoint',
	method: 'POST',
	path: '/webhook-endpoints',
	summary: 'Create a webhook endpoint',
	surface: 'server',
	permission: 'webhooks:write',
	idempotent: true,
	success: 201,
	params: Nothing,
	query: Nothing,
	body: schemas.CreateWebhookEndpoint,
	response: schemas.WebhookEndpointSecretResponse,
	refusals: ['webhook_url_not_allowed', 'limit_reached'],
} as const satisfies Route;

export const listWebhookEndpoints = {
	operation: 'list-webhook-endpoints',
	method: 'GET',
	path: '/webhook-endpoints',
	summary: 'List webhook endpoints',
	surface: 'server',
	permission: 'webhooks:read',
	idempotent: false,
	success: 200,
	params: Nothing,
	query: OnePageQuery,
	body: Nothing,
	response: schemas.WebhookEndpointListResponse,
	refusals: [],
} as const satisfies Route;

export const getWebhookEndpoint = {
	operation: 'get-webhook-endpoint',
	method: 'GET',
	path: '/webhook-endpoints/{id}',
	summary: 'Get a webhook endpoint',
	surface: 'server',
	permission: 'webhooks:read',
	idempotent: false,
	conditional: true,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: Nothing,
	response: schemas.WebhookEndpointResponse,
	refusals: [],
} as const satisfies Route;

export const changeWebhookEndpoint = {
	operation: 'change-webhook-endpoint',
	method: 'PATCH',
	path: '/webhook-endpoints/{id}',
	summary: 'Update a webhook endpoint',
	surface: 'server',
	permission: 'webhooks:write',
	idempotent: true,
	conditional: true,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: schemas.ChangeWebhookEndpoint,
	response: schemas.WebhookEndpointResponse,
	refusals: ['webhook_url_not_allowed'],
} as const satisfies Route;

export const deleteWebhookEndpoint = {
	operation: 'delete-webhook-endpoint',
	method: 'DELETE',
	path: '/webhook-endpoints/{id}',
	summary: 'Delete a webhook endpoint',
	surface: 'server',
	permission: 'webhooks:write',
	idempotent: false,
	success: 204,
	params: IdParams,
	query: Nothing,
	body: Nothing,
	response: Empty,
	refusals: [],
} as const satisfies Route;

export const rotateWebhookSecret = {
	operation: 'rotate-webhook-secret',
	method: 'POST',
	path: '/webhook-endpoints/{id}/rotate-secret',
	summary: 'Rotate the signing secret',
	surface: 'server',
	permission: 'webhooks:write',
	idempotent: true,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: schemas.RotateSecret,
	response: schemas.WebhookEndpointSecretResponse,
	refusals: [],
} as const satisfies Route;

export const testWebhookEndpoint = {
	operation: 'test-webhook-endpoint',
	method: 'POST',
	path: '/webhook-endpoints/{id}/test',
	summary: 'Send a signed test event and return the attempt',
	surface: 'server',
	permission: 'webhooks:write',
	idempotent: false,
	slow: true,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: schemas.TestWebhookEndpoint,
	response: schemas.TestWebhookEndpointResponse,
	refusals: [],
} as const satisfies Route;

export const recoverWebhookEndpoint = {
	operation: 'recover-webhook-endpoint',
	method: 'POST',
	path: '/webhook-endpoints/{id}/recover',
	summary: 'Resend failed or missing deliveries',
	surface: 'server',
	permission: 'webhooks:write',
	idempotent: false,
	slow: true,
	success: 202,
	params: IdParams,
	query: Nothing,
	body: schemas.RecoverWebhookEndpoint,
	response: schemas.RecoverWebhookEndpointResponse,
	refusals: ['invalid_parameter', 'invalid_cursor', 'endpoint_disabled'],
} as const satisfies Route;
