import type * as z from 'zod/mini';
import {
	callId,
	created_at,
	exampleFirstPage,
	source_url,
	visitor_phone_masked,
	workspace_id,
} from '../kernel/example-values.ts';
import { type Docs, pageComponent, withDescriptions } from '../kernel/operation-docs.ts';
import { CallStatus } from '../vocabulary.ts';
import { Call, CallListResponse, CallResponse, type callRoutes } from './calls.ts';

const call = {
	id: callId,
	workspace_id,
	status: 'completed',
	visitor_phone_masked,
	source_url,
	reference: 'order-4711',
	connected_at: '2026-11-09T12:00:21.480Z',
	completed_at: '2026-11-09T12:03:03.120Z',
	duration_seconds: 161,
	created_at,
	failure_reason: null,
} as const satisfies z.infer<typeof Call>;

export const callDocs = {
	tag: { name: 'Calls', description: 'Calls between a visitor and the team, current and past.' },
	operations: {
		'list-calls': {
			text: 'Filter by status, reference and creation time. A filter that matches few calls can return a short or empty page with `has_more: true`: continue with the cursor.',
			several: { status: CallStatus },
			answer: { data: [call], ...exampleFirstPage },
		},
		'get-call': { text: 'Returns one call. IDs from other workspaces return 404.', answer: { data: call } },
		'cancel-call': {
			text: 'Hangs up every leg. A call that has already ended is not changed: 409 `call_already_terminal`.',
			answer: {
				data: {
					...call,
					status: 'canceled',
					connected_at: null,
					completed_at: '2026-11-09T12:00:09.305Z',
					duration_seconds: 0,
					failure_reason: 'canceled',
				},
			},
		},
	},
	components: {
		Call: withDescriptions(Call, {
			description: "A visitor's request to be connected now.",
			members: {
				status: 'The state of the call.',
				reference: "The page's own name for what it is about, such as an order's number; null if it gave none.",
				connected_at: 'When the visitor and the team were connected; null if they never were.',
				completed_at: 'When the call ended, successfully or not; null before that.',
				duration_seconds:
					'Whole seconds that the visitor and the team were connected; null until the call ends, 0 if they never were.',
				created_at: 'When the visitor requested the call.',
				failure_reason: 'Why the call failed or was canceled; null otherwise.',
			},
		}),
		CallResponse: { schema: CallResponse },
		CallList: pageComponent(CallListResponse),
	},
} satisfies Docs<typeof callRoutes>;
