import { IdParams, Nothing } from '../kernel/common.ts';
import type { Route } from '../route.ts';
import * as schemas from './callback-leads.ts';

export const listCallbackLeads = {
	operation: 'list-callback-leads',
	method: 'GET',
	path: '/callback-leads',
	summary: 'List callback leads, newest first',
	surface: 'server',
	permission: 'calls:read',
	idempotent: false,
	success: 200,
	params: Nothing,
	query: schemas.CallbackLeadListQuery,
	body: Nothing,
	response: schemas.CallbackLeadListResponse,
	refusals: ['invalid_cursor'],
} as const satisfies Route;

export const getCallbackLead = {
	operation: 'get-callback-lead',
	method: 'GET',
	path: '/callback-leads/{id}',
	summary: 'Get a callback lead',
	surface: 'server',
	permission: 'calls:read',
	idempotent: false,
	conditional: true,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: Nothing,
	response: schemas.CallbackLeadResponse,
	refusals: [],
} as const satisfies Route;

export const updateCallbackLead = {
	operation: 'update-callback-lead',
	method: 'PATCH',
	path: '/callback-leads/{id}',
	summary: 'Change the status of a callback lead; never places a call',
	surface: 'server',
	permission: 'calls:write',
	idempotent: true,
	conditional: true,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: schemas.UpdateCallbackLead,
	response: schemas.CallbackLeadResponse,
	refusals: [],
} as const satisfies Route;
