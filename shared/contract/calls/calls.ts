import * as z from 'zod/mini';
import { callStatuses } from '../../domain/calls/call.ts';
import { Id, listOf, listQuery, single, Timestamp } from '../kernel/common.ts';
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
