import { IdParams, Nothing } from '../kernel/common.ts';
import type { Route } from '../route.ts';
import * as schemas from './calls.ts';

export const listCalls = {
	operation: 'list-calls',
	method: 'GET',
	path: '/calls',
	summary: 'List calls, newest first',
	surface: 'server',
	permission: 'calls:read',
	idempotent: false,
	success: 200,
	params: Nothing,
	query: schemas.CallListQuery,
	body: Nothing,
	response: schemas.CallListResponse,
	refusals: ['invalid_cursor'],
} as const satisfies Route;

export const getCall = {
	operation: 'get-call',
	method: 'GET',
	path: '/calls/{id}',
	summary: 'Get a call',
	surface: 'server',
	permission: 'calls:read',
	idempotent: false,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: Nothing,
	response: schemas.CallResponse,
	refusals: [],
} as const satisfies Route;

export const cancelCall = {
	operation: 'cancel-call',
	method: 'POST',
	path: '/calls/{id}/cancel',
	summary: 'Cancel a call',
	surface: 'server',
	permission: 'calls:write',
	idempotent: true,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: Nothing,
	response: schemas.CallResponse,
	refusals: ['call_already_terminal'],
} as const satisfies Route;
