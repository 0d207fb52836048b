import * as z from 'zod/mini';
import { leadStatuses } from '../../domain/leads/callback-lead.ts';
import { Id, IdParams, listOf, listQuery, ReferenceFilter, single, Timestamp } from '../kernel/common.ts';
import { route } from '../route.ts';
import { LeadStatus } from '../vocabulary.ts';

export const CallbackLead = z.object({
	id: Id,
	workspace_id: Id,
	name: z.nullable(z.string()),
	note: z.nullable(z.string()),
	visitor_phone_masked: z.string(),
	source_url: z.string(),
	reference: z.nullable(z.string()),
	status: LeadStatus,
	created_at: Timestamp,
	updated_at: Timestamp,
});
export const CallbackLeadResponse = single(CallbackLead);
export const CallbackLeadListResponse = listOf(CallbackLead);
export const CallbackLeadListQuery = z.extend(listQuery(leadStatuses), { reference: ReferenceFilter });
export const UpdateCallbackLead = z.strictObject({ status: LeadStatus });

export const listCallbackLeads = route('list-callback-leads', 'GET', '/callback-leads', {
	summary: 'List callback leads, newest first',
	permission: 'calls:read',
	query: CallbackLeadListQuery,
	response: CallbackLeadListResponse,
	refusals: ['invalid_cursor'],
});

export const getCallbackLead = route('get-callback-lead', 'GET', '/callback-leads/{id}', {
	summary: 'Get a callback lead',
	permission: 'calls:read',
	conditional: true,
	params: IdParams,
	response: CallbackLeadResponse,
});

export const updateCallbackLead = route('update-callback-lead', 'PATCH', '/callback-leads/{id}', {
	summary: 'Change the status of a callback lead; never places a call',
	permission: 'calls:write',
	idempotent: true,
	conditional: true,
	params: IdParams,
	body: UpdateCallbackLead,
	response: CallbackLeadResponse,
});

export const callbackLeadRoutes = [listCallbackLeads, getCallbackLead, updateCallbackLead] as const;
