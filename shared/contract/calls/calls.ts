import * as z from 'zod/mini';
import { callStatuses } from '../../domain/calls/call.ts';
import { Id, IdParams, listOf, listQuery, ReferenceFilter, single, Timestamp } from '../kernel/common.ts';
import { route } from '../route.ts';
import { CallStatus, FailureReason } from '../vocabulary.ts';

export const Call = z.object({
	id: Id,
	workspace_id: Id,
	status: CallStatus,
	visitor_phone_masked: z.string(),
	source_url: z.string(),
	reference: z._default(z.nullable(z.string()), null),
	connected_at: z.nullable(Timestamp),
	completed_at: z.nullable(Timestamp),
	duration_seconds: z.nullable(z.int()),
	created_at: Timestamp,
	failure_reason: z.nullable(FailureReason),
});
export const CallResponse = single(Call);
export const CallListQuery = z.extend(listQuery(callStatuses), { reference: ReferenceFilter });
export const CallListResponse = listOf(Call);

export const listCalls = route('list-calls', 'GET', '/calls', {
	summary: 'List calls, newest first',
	permission: 'calls:read',
	query: CallListQuery,
	response: CallListResponse,
	refusals: ['invalid_cursor'],
});

export const getCall = route('get-call', 'GET', '/calls/{id}', {
	summary: 'Get a call',
	permission: 'calls:read',
	params: IdParams,
	response: CallResponse,
});

export const cancelCall = route('cancel-call', 'POST', '/calls/{id}/cancel', {
	summary: 'Cancel a call',
	permission: 'calls:write',
	idempotent: true,
	params: IdParams,
	response: CallResponse,
	refusals: ['call_already_terminal'],
});

export const callRoutes = [listCalls, getCall, cancelCall] as const;
