import { IdParams, Nothing } from '../kernel/common.ts';
import type { Route } from '../route.ts';
import * as schemas from './widget.ts';

export const requestCall = {
	operation: 'request-call',
	method: 'POST',
	path: '/widget/call-requests',
	summary: 'Request a call now',
	surface: 'widget',
	permission: null,
	idempotent: true,
	success: 202,
	params: Nothing,
	query: Nothing,
	body: schemas.WidgetRequest,
	response: schemas.CallRequestResponse,
	refusals: [
		'consent_required',
		'phone_invalid',
		'country_not_allowed',
		'phone_not_callable',
		'page_url_mismatch',
		'outside_business_hours',
		'calls_unavailable',
	],
} as const satisfies Route;

export const getCallRequestStatus = {
	operation: 'get-call-request-status',
	method: 'GET',
	path: '/widget/call-requests/{id}/status',
	summary: 'Get the state of a requested call',
	surface: 'widget',
	permission: null,
	idempotent: false,
	polled: true,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: Nothing,
	response: schemas.CallRequestStatusResponse,
	refusals: [],
} as const satisfies Route;

export const cancelCallRequest = {
	operation: 'cancel-call-request',
	method: 'POST',
	path: '/widget/call-requests/{id}/cancel',
	summary: "Cancel the visitor's own call before it connects",
	surface: 'widget',
	permission: null,
	idempotent: false,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: schemas.CancelOwnCall,
	response: schemas.CallRequestStatusResponse,
	refusals: ['call_already_connected', 'call_already_terminal'],
} as const satisfies Route;

export const createCallbackLead = {
	operation: 'create-callback-lead',
	method: 'POST',
	path: '/widget/callback-leads',
	summary: 'Request a callback later; notifies the team, places no call',
	surface: 'widget',
	permission: null,
	idempotent: true,
	success: 201,
	params: Nothing,
	query: Nothing,
	body: schemas.WidgetLeadRequest,
	response: schemas.LeadCreatedResponse,
	refusals: ['consent_required', 'phone_invalid', 'country_not_allowed', 'phone_not_callable', 'page_url_mismatch'],
} as const satisfies Route;

export const getWidgetConfig = {
	operation: 'get-widget-config',
	method: 'GET',
	path: '/widget/config',
	summary: 'Get the settings of the widget',
	surface: 'widget',
	permission: null,
	idempotent: false,
	success: 200,
	params: Nothing,
	query: schemas.WidgetConfigQuery,
	body: Nothing,
	response: schemas.WidgetConfigResponse,
	refusals: [],
} as const satisfies Route;
