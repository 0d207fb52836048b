import type * as z from 'zod/mini';
import {
	created_at,
	lastPage,
	leadId,
	source_url,
	visitor_phone_masked,
	workspace_id,
} from '../kernel/example-values.ts';
import { type Docs, pageComponent, withDescriptions } from '../kernel/operation-docs.ts';
import { LeadStatus } from '../vocabulary.ts';
import {
	CallbackLead,
	CallbackLeadListResponse,
	CallbackLeadResponse,
	type callbackLeadRoutes,
	UpdateCallbackLead,
} from './callback-leads.ts';

const lead = {
	id: leadId,
	workspace_id,
	name: 'Ada',
	note: 'tomorrow morning',
	visitor_phone_masked,
	source_url,
	reference: 'order-4711',
	status: 'handled',
	created_at,
	updated_at: '2026-11-09T14:30:12.007Z',
} as const satisfies z.infer<typeof CallbackLead>;

export const callbackLeadDocs = {
	tag: { name: 'Callback leads', description: 'Visitors who asked to be called later.' },
	operations: {
		'list-callback-leads': {
			text: 'Filter by status, reference and creation time.',
			several: { status: LeadStatus },
			answer: { data: [lead], ...lastPage },
		},
		'get-callback-lead': { text: 'Returns one lead. IDs from other workspaces return 404.', answer: { data: lead } },
		'update-callback-lead': {
			text: 'Every change among the three values is allowed. Setting the current value changes nothing.',
			body: { status: 'handled' },
			answer: { data: lead },
		},
	},
	components: {
		CallbackLead: withDescriptions(CallbackLead, {
			description: "A visitor's request to be called back later. It never places a call by itself.",
			members: {
				name: 'The name that the visitor entered; null if none.',
				note: 'When a call would suit the visitor, in their own words; null if they said nothing. It schedules nothing.',
				reference: "The page's own name for what it is about, such as an order's number; null if it gave none.",
				status: 'How far your team has got with it.',
			},
		}),
		CallbackLeadResponse: { schema: CallbackLeadResponse },
		CallbackLeadList: pageComponent(CallbackLeadListResponse),
		UpdateCallbackLead: withDescriptions(UpdateCallbackLead, {
			members: { status: 'The new status; every change among the three is allowed.' },
		}),
	},
} satisfies Docs<typeof callbackLeadRoutes>;
