import * as z from 'zod/mini';
import { leadStatuses } from '../../domain/leads/callback-lead.ts';
import { Id, listOf, listQuery, single, Timestamp } from '../kernel/common.ts';
import { LeadStatus } from '../vocabulary.ts';

export const CallbackLead = z.object({
	id: Id,
	workspace_id: Id,
	name: z.nullable(z.string()),
	note: z._default(z.nullable(z.string()), null),
	visitor_phone_masked: z.string(),
	source_url: z.string(),
	status: LeadStatus,
	created_at: Timestamp,
	updated_at: Timestamp,
});
export const CallbackLeadResponse = single(CallbackLead);
export const CallbackLeadListResponse = listOf(CallbackLead);
export const CallbackLeadListQuery = listQuery(leadStatuses);
export const UpdateCallbackLead = z.object({ status: LeadStatus });
