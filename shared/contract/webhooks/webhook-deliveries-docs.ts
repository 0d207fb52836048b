import type * as z from 'zod/mini';
import { deliveryHeaders } from '../../domain/webhooks/delivery-headers.ts';
import { endpoint_id, event_id, lastPage } from '../kernel/example-values.ts';
import { type Docs, pageComponent, withDescriptions } from '../kernel/operation-docs.ts';
import { DeliveryStatus } from '../vocabulary.ts';
import { eventExamples } from './events-docs.ts';
import {
	Attempt,
	AttemptResponse,
	DeliveryRequest,
	Timings,
	WebhookDelivery,
	WebhookDeliveryDetail,
	WebhookDeliveryDetailResponse,
	WebhookDeliveryListResponse,
	WebhookDeliveryResponse,
	type webhookDeliveryRoutes,
} from './webhook-deliveries.ts';

export const attempt = {
	number: 1,
	started_at: '2026-11-09T12:03:03.402Z',
	response_status: 503,
	error: 'http_status',
	hint: 'The receiver answered 503; anything but a 2xx is tried again.',
	timings: { dns_ms: 3, connect_ms: 18, tls_ms: 24, first_byte_ms: 61, total_ms: 62 },
	response_body: 'upstream not ready',
} as const satisfies z.infer<typeof Attempt>;

const delivery = {
	id: '01KA8Z4N8S3M7Q1V5Z9C2F6J0N',
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
} as const satisfies z.infer<typeof WebhookDelivery>;

const request = {
	headers: {
		...deliveryHeaders({ kind: 'call.completed', sequence: 4 }, { delivery_id: delivery.id, number: 1 }),
		'webhook-id': event_id,
	},
	body: JSON.stringify(eventExamples['call.completed']),
} satisfies z.infer<typeof DeliveryRequest>;

const members = {
	endpoint_id: 'The endpoint that receives the event.',
	event_id: "The event's id, the same for all endpoints and attempts. Use it to deduplicate.",
	event: 'The event type.',
	status: 'The state of the delivery.',
	attempt_count: 'Attempts made so far.',
	next_attempt_at:
		'When the next attempt is due; null if none is planned. While the circuit breaker of its endpoint is open, a due delivery waits for its turn.',
	last_attempt_at: 'When we last tried; null before the first attempt.',
	response_status: 'The HTTP status that the last attempt got; null if it got no response.',
	error: 'Why the last attempt failed; null if it succeeded or none was made.',
};

export const webhookDeliveryDocs = {
	tag: { name: 'Webhook deliveries', description: 'Events sent to endpoints, and the outcome of each attempt.' },
	operations: {
		'list-webhook-deliveries': {
			text: 'Filter by endpoint, status, event type, event and creation time.',
			several: { status: DeliveryStatus },
			answer: { data: [delivery], ...lastPage },
		},
		'get-webhook-delivery': {
			text: 'Returns one delivery with the body and the headers that are sent, and every attempt: its timings, and the start of the response body.',
			answer: { data: { ...delivery, request, attempts: [attempt] } },
		},
		'retry-webhook-delivery': {
			text: 'Sends the event again with the same event id and a new signature, also if it succeeded before.',
			answer: { data: { ...delivery, next_attempt_at: '2026-11-09T12:05:00.000Z' } },
		},
	},
	components: {
		WebhookDelivery: withDescriptions(WebhookDelivery, { description: 'One event sent to one endpoint.', members }),
		WebhookDeliveryResponse: { schema: WebhookDeliveryResponse },
		WebhookDeliveryList: pageComponent(WebhookDeliveryListResponse),
		WebhookDeliveryDetail: withDescriptions(WebhookDeliveryDetail, {
			description: 'A delivery with all its attempts.',
			members: {
				...members,
				request: 'What is sent; null if the event is no longer kept.',
				attempts: 'Every attempt, oldest first.',
			},
		}),
		DeliveryRequest: withDescriptions(DeliveryRequest, {
			description: 'What the newest attempt posted, or the first one will.',
			members: {
				headers:
					'In lower case, without the signature (`service-signature`, `webhook-timestamp`, `webhook-signature`) and without headers of the endpoint’s own.',
				body: 'The body as text, byte for byte.',
			},
		}),
		WebhookDeliveryDetailResponse: { schema: WebhookDeliveryDetailResponse },
		Attempt: withDescriptions(Attempt, {
			description: 'One POST and its outcome.',
			members: {
				number: 'The number of the attempt, from 1.',
				started_at: 'When the attempt started.',
				response_status: 'The HTTP status of the response; null if there was none.',
				error: 'Why the attempt failed; null if it succeeded.',
				hint: 'What happened and what to do about it, in one sentence.',
				timings: 'How long each phase took.',
				response_body: 'The first 4 KiB of the response body, as text.',
			},
		}),
		AttemptResponse: { schema: AttemptResponse },
		Timings: withDescriptions(Timings, {
			description: 'In milliseconds.',
			members: {
				dns_ms: 'DNS lookup, in milliseconds; null if it was not needed.',
				connect_ms: 'TCP connect; null if a connection was reused or never made.',
				tls_ms: 'TLS handshake; null when `connect_ms` is.',
				first_byte_ms: 'Time to the first byte of the response; null if there was none.',
				total_ms: 'The whole attempt.',
			},
		}),
	},
} satisfies Docs<typeof webhookDeliveryRoutes>;
