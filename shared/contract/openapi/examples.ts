import type * as z from 'zod/mini';
import type { CallStatus } from '../../domain/calls/call.ts';
import type { EventKind } from '../../domain/webhooks/event.ts';
import type * as calls from '../calls/calls.ts';
import type * as leads from '../leads/callback-leads.ts';
import type * as widget from '../visitors/widget.ts';
import type * as deliveries from '../webhooks/webhook-deliveries.ts';
import type * as endpoints from '../webhooks/webhook-endpoints.ts';
import type * as events from './events.ts';
import type { SchemaName } from './schemas.ts';

// One day of one customer: the examples are consistent with each other.

const workspace_id = '01KA7X2V0M5Q8R3T6W9Y1B4D7F';
const call_id = '01KA8Z4N6P2S5V8X1A3C6E9G0H';
const lead_id = '01KA8Z7Q9T1W4Y6B8D0F2H5J7K';
const endpoint_id = '01KA7Y0R3V6X9A2C5E8G1J4M7P';
const delivery_id = '01KA8Z4N8S3M7Q1V5Z9C2F6J0N';
const event_id = '01KA8Z6T0C4G8K2N6R0V4Y8B2E';
const visitor_phone_masked = '+1********01';
const source_url = 'https://shop.example/pricing?utm_source=newsletter';
const created_at = '2026-11-09T12:00:00.000Z';

const call = {
	id: call_id,
	workspace_id,
	status: 'completed',
	visitor_phone_masked,
	source_url,
	connected_at: '2026-11-09T12:00:21.480Z',
	completed_at: '2026-11-09T12:03:03.120Z',
	duration_seconds: 161,
	created_at,
	failure_reason: null,
} as const satisfies z.infer<typeof calls.Call>;

const canceled = {
	...call,
	status: 'canceled',
	connected_at: null,
	completed_at: '2026-11-09T12:00:09.305Z',
	duration_seconds: 0,
	failure_reason: 'canceled',
} as const satisfies z.infer<typeof calls.Call>;

const lead = {
	id: lead_id,
	workspace_id,
	name: 'Ada',
	note: 'tomorrow morning',
	visitor_phone_masked,
	source_url,
	status: 'handled',
	created_at,
	updated_at: '2026-11-09T14:30:12.007Z',
} as const satisfies z.infer<typeof leads.CallbackLead>;

const endpoint = {
	id: endpoint_id,
	workspace_id,
	url: 'https://hooks.example.com/call-back',
	description: 'CRM',
	events: ['call.completed', 'call.failed'],
	status: 'enabled',
	disabled_reason: null,
	header_names: ['x-api-key'],
	created_at: '2026-11-02T09:15:00.000Z',
	updated_at: '2026-11-02T09:15:00.000Z',
} as const satisfies z.infer<typeof endpoints.WebhookEndpoint>;
const secret = 'whsec_ZXhhbXBsZSBvZiBhIHNlY3JldCwgbm90IGEgc2VjcmV0';

const attempt = {
	number: 1,
	started_at: '2026-11-09T12:03:03.402Z',
	response_status: 503,
	error: 'http_status',
	hint: 'The receiver answered 503; anything but a 2xx is tried again.',
	timings: { dns_ms: 3, connect_ms: 18, tls_ms: 24, first_byte_ms: 61, total_ms: 62 },
	response_body: 'upstream not ready',
} as const satisfies z.infer<typeof deliveries.Attempt>;

const delivery = {
	id: delivery_id,
	endpoint_id,
	event_id,
	event: 'call.completed',
	status: 'pending',
	attempt_count: 1,
	next_attempt_at: '2026-11-09T12:03:08.402Z',
	last_attempt_at: attempt.started_at,
	response_status: 503,
	error: 'http_status',
	created_at: '2026-11-09T12:03:03.120Z',
} as const satisfies z.infer<typeof deliveries.WebhookDelivery>;

const visitor = {
	workspace_key: 'wk_3kZ9QmPq7sVxW2nB4yTcR8uA',
	phone: '+1 (202) 555-0101',
	name: 'Ada',
	consent: true,
	page_url: 'https://shop.example/pricing?utm_source=newsletter',
} as const satisfies z.input<typeof widget.WidgetRequest>;

type CallEvent = z.infer<typeof events.CallEvent>;
type Told = z.infer<typeof events.CallbackEvent> | CallEvent;

function callEvent(event: CallEvent['event'], status: CallStatus, duration_seconds: number | null): CallEvent {
	return {
		id: event_id,
		event,
		created_at: '2026-11-09T12:03:03.120Z',
		data: { id: call_id, workspace_id, status, duration_seconds },
	};
}

const callbackEvent = {
	id: '01KA8Z7Q9V5B1D7F3H9K5M1P7R',
	event: 'callback.requested',
	created_at,
	data: { id: lead_id, workspace_id, status: 'pending', source_url, created_at },
} as const satisfies z.infer<typeof events.CallbackEvent>;

const page = { has_more: true, next_cursor: `${'b3BhcXVl'.repeat(9)}b3BhcXV8` };
const last = { has_more: false, next_cursor: null };

/** An example for each schema that is a whole body. */
export const examples: Readonly<Partial<Record<SchemaName, unknown>>> = {
	CallResponse: { data: call },
	CallList: { data: [call], ...page },
	CallbackLeadResponse: { data: lead },
	CallbackLeadList: { data: [lead], ...last },
	CallRequestResponse: { data: { id: call_id, status: 'requested', poll_after_ms: 1500 } },
	CallRequestStatusResponse: {
		data: {
			id: call_id,
			status: 'ringing',
			poll_after_ms: 1500,
			failure_reason: null,
			visitor_phone_rings: true,
			connected_for_ms: null,
		},
	},
	CancelOwnCall: { cancel_secret: 'Zm9yIHRoZSBleGFtcGxlIG9ubHksIG5vdCBhIHNlY3JldA' },
	CallbackLeadReceiptResponse: { data: { id: lead_id, status: 'pending' } },
	WidgetConfigResponse: {
		data: {
			open: true,
			next_open_at: null,
			unavailable: null,
			consent_text: 'I agree to be called back at this number now.',
			consent_texts: {
				language: 'en',
				call: { id: 'en-call-5e9f0c1d2b3a4867', text: 'I agree that you call me at this number right now.' },
				lead: {
					id: 'en-lead-0a1b2c3d4e5f6071',
					text: 'I agree that you call me back at this number when someone is available.',
				},
			},
			regions: ['US'],
			caller_number: '+13125550101',
			numbers: [
				{
					...{ region: 'US', calling_code: '1', trunk_prefix: '1', shortest: 10, longest: 10 },
					...{ example: '+12025550123', example_national: '(202) 555-0123', pattern: '[2-9]\\d{9}|3\\d{6}' },
					groups: [{ leading: '[2-9]', sizes: '3 3 4' }],
				},
			],
		},
	},
	WebhookEndpointResponse: { data: endpoint },
	WebhookEndpointList: { data: [endpoint], ...last },
	WebhookEndpointWithSecretResponse: { data: { ...endpoint, secret } },
	RecoveryResponse: { data: { dry_run: false, matched: 12, queued: 12, next_cursor: null } },
	WebhookDeliveryResponse: { data: delivery },
	WebhookDeliveryList: { data: [delivery], ...last },
	WebhookDeliveryDetailResponse: { data: { ...delivery, attempts: [attempt] } },
	AttemptResponse: { data: attempt },
	OpenApiDocument: { openapi: '3.1.0', info: { title: 'Call-Back Widget Service', version: '1.0.0' } },
	WidgetRequest: visitor,
	WidgetLeadRequest: { ...visitor, note: 'tomorrow morning' },
	UpdateCallbackLead: { status: 'handled' },
	CreateWebhookEndpoint: { url: endpoint.url, events: endpoint.events, description: endpoint.description },
	ChangeWebhookEndpoint: { events: ['call.completed'], status: 'enabled', resume: 'all' },
	RotateSecret: { overlap_seconds: 3600 },
	TestWebhookEndpoint: { event: 'call.completed' },
	RecoverWebhookEndpoint: { since: '2026-11-09T10:00:00Z', mode: 'failed', dry_run: true },
};

/** An event of each kind. */
export const eventExamples: Readonly<Record<EventKind, Told>> = {
	'call.requested': callEvent('call.requested', 'requested', null),
	'call.ringing': callEvent('call.ringing', 'ringing', null),
	'call.connected': callEvent('call.connected', 'connected', null),
	'call.completed': callEvent('call.completed', 'completed', 161),
	'call.failed': callEvent('call.failed', 'failed', 0),
	'callback.requested': callbackEvent,
};

/** Operations whose example differs from that of their schema. */
export const answerExamples: Readonly<Record<string, unknown>> = {
	'cancel-call': { data: canceled },
	'cancel-call-request': {
		data: {
			id: call_id,
			status: 'canceled',
			poll_after_ms: null,
			failure_reason: 'canceled',
			visitor_phone_rings: false,
			connected_for_ms: null,
		},
	},
	'retry-webhook-delivery': { data: { ...delivery, next_attempt_at: '2026-11-09T12:05:00.000Z' } },
};

/** An example of an id. */
export const exampleIds = { id: call_id, endpoint_id, event_id };
