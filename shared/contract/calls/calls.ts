import * as z from 'zod/mini';
import { callStatuses } from '../../domain/calls/call.ts';
import { Id, IdParams, listOf, listQuery, single, Timestamp } from '../kernel/common.ts';
import { route } from '../route.ts';
import { CallStatus, FailureReason } from '../vocabulary.ts';

export const Call = z.object({
	id: Id,
	workspace_id: Id,
	status: CallStatus,
	visitor_phone_masked: z.string(),
	source_url: z.string(),
	connected_at: z.nullable(Timestamp),
	completed_at: z.nullable(Timestamp),
	duration_seconds: z.nullable(z.int()),
	created_at: Timestamp,
	failure_reason: z.nullable(FailureReason),
});
export const CallResponse = single(Call);
export const CallListQuery = listQuery(callStatuses);
export const CallListResponse = listOf(Call);

export const listCalls = route({
	operation: 'list-calls',
	method: 'GET',
	path: '/calls',
	summary: 'List calls, newest first',
	surface: 'server',
	permission: 'calls:read',
	success: 200,
	query: CallListQuery,
	response: CallListResponse,
	refusals: ['invalid_cursor'],
});

export const getCall = route({
	operation: 'get-call',
	method: 'GET',
	path: '/calls/{id}',
	summary: 'Get a call',
	surface: 'server',
	permission: 'calls:read',
	success: 200,
	params: IdParams,
	response: CallResponse,
});

export const cancelCall = route({
	operation: 'cancel-call',
	method: 'POST',
	path: '/calls/{id}/cancel',
	summary: 'Cancel a call',
	surface: 'server',
	permission: 'calls:write',
	idempotent: true,
	success: 200,
	params: IdParams,
	response: CallResponse,
	refusals: ['call_already_terminal'],
});

export const callRoutes = [listCalls, getCall, cancelCall] as const;
