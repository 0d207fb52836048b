import * as calls from './calls.ts';
import { Empty, IdParams, LegParams, Nothing } from './common.ts';
import type { Route } from './route.ts';
import * as endpoints from './webhook-endpoints.ts';
import * as widget from './widget.ts';

// Each row is an export of its own, so that a function bundles its own schemas and no others.

export const requestCall = {
	operation: 'request-call',
	method: 'POST',
	path: '/widget/call-requests',
	summary: 'Ask to be called now',
	surface: 'widget',
	permission: null,
	idempotent: true,
	success: 202,
	params: Nothing,
	query: Nothing,
	body: widget.WidgetRequest,
	response: widget.CallRequestResponse,
} as const satisfies Route;

export const getCallRequestStatus = {
	operation: 'get-call-request-status',
	method: 'GET',
	path: '/widget/call-requests/{id}/status',
	summary: 'Where the requested call stands',
	surface: 'widget',
	permission: null,
	idempotent: false,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: Nothing,
	response: widget.CallRequestResponse,
} as const satisfies Route;

export const getCall = {
	operation: 'get-call',
	method: 'GET',
	path: '/calls/{id}',
	summary: 'Read a call',
	surface: 'server',
	permission: 'calls:read',
	idempotent: false,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: Nothing,
	response: calls.CallResponse,
} as const satisfies Route;

export const createWebhookEndpoint = {
	operation: 'create-webhook-endpoint',
	method: 'POST',
	path: '/webhook-endpoints',
	summary: 'Subscribe an HTTPS address to events',
	surface: 'server',
	permission: 'webhooks:write',
	idempotent: true,
	success: 201,
	params: Nothing,
	query: Nothing,
	body: endpoints.CreateWebhookEndpoint,
	response: endpoints.WebhookEndpointSecretResponse,
} as const satisfies Route;

export const receiveLegCallback = {
	operation: 'receive-leg-callback',
	method: 'POST',
	path: '/telephony/{call_id}/{leg_id}/status',
	summary: 'A telephony provider reports on a leg',
	surface: 'provider',
	permission: null,
	idempotent: false,
	success: 204,
	params: LegParams,
	query: Nothing,
	body: Nothing,
	response: Empty,
} as const satisfies Route;

export const instructLeg = {
	operation: 'instruct-leg',
	method: 'POST',
	path: '/telephony/{call_id}/{leg_id}/instructions',
	summary: 'A telephony provider asks what a leg should do next',
	surface: 'provider',
	permission: null,
	idempotent: false,
	success: 200,
	params: LegParams,
	query: Nothing,
	body: Nothing,
	response: Empty,
} as const satisfies Route;

/** The whole API. The gateway has exactly these routes, their preflights and the fallback. */
export const routes = [
	requestCall,
	getCallRequestStatus,
	getCall,
	createWebhookEndpoint,
	receiveLegCallback,
	instructLeg,
] as const satisfies readonly Route[];
