// Descriptions of every schema and member in the document. A test finds missing ones.

import { widgetFields } from './widget-descriptions.ts';

type Texts = Readonly<Record<string, string>>;

/** Of requests that set them. */
const CUSTOM_HEADERS =
	'At most 5 headers of your own for every delivery, such as the key of an API gateway: name and value of up to 512 visible ASCII characters. We keep the values sealed and never return them. Reserved names (see docs/webhooks.md) are refused.';

const id = 'Its ULID.';
const workspace_id = 'The workspace it belongs to.';
const created_at = 'When it was created.';
const updated_at = 'When it was last changed.';
const visitor_phone_masked = "The visitor's number with all but its last digits hidden.";
const source_url =
	'The page that the visitor was on: without fragment, and with only the `utm_` parameters of its query.';
const page = {
	data: 'Newest first.',
	has_more: 'Whether there is another page.',
	next_cursor: 'To get the next page, send this as `cursor` with the same filters; null on the last page.',
};

const endpoint: Texts = {
	id,
	workspace_id,
	url: 'Where we post events.',
	description: 'Your own note about the endpoint.',
	events: 'Event types the endpoint subscribes to.',
	status: 'We send events to enabled endpoints only.',
	disabled_reason: 'Why the endpoint is disabled; null while it is enabled.',
	header_names: 'Names of your own headers on its deliveries, in lower case. No response holds their values.',
	created_at,
	updated_at,
};

const delivery: Texts = {
	id,
	endpoint_id: 'The endpoint that receives the event.',
	event_id: "The event's id, the same for all endpoints and attempts. Use it to deduplicate.",
	event: 'The event type.',
	status: 'The state of the delivery.',
	attempt_count: 'Attempts made so far.',
	next_attempt_at: 'When we retry; null if no retry is planned.',
	last_attempt_at: 'When we last tried; null before the first attempt.',
	response_status: 'The HTTP status that the last attempt got; null if it got no response.',
	error: 'Why the last attempt failed; null if it succeeded or none was made.',
	created_at,
};

const webhook = {
	id: "The event's id. Use it to deduplicate.",
	event: 'The event type.',
	created_at: 'When the event happened.',
	data: 'The call or callback lead that the event is about.',
};

export const fieldDescriptions: Readonly<Record<string, Texts>> = {
	Call: {
		id,
		workspace_id,
		status: 'The state of the call.',
		visitor_phone_masked,
		source_url,
		connected_at: 'When the visitor and the team were connected; null if they never were.',
		completed_at: 'When the call ended, successfully or not; null before that.',
		duration_seconds:
			'Whole seconds that the visitor and the team were connected; null until the call ends, 0 if they never were.',
		created_at: 'When the visitor requested the call.',
		failure_reason: 'Why the call failed or was canceled; null otherwise.',
	},
	CallList: page,
	CallbackLead: {
		id,
		workspace_id,
		name: 'The name that the visitor entered; null if none.',
		note: 'When a call would suit the visitor, in their own words; null if they said nothing. It schedules nothing.',
		visitor_phone_masked,
		source_url,
		status: 'How far your team has got with it.',
		created_at,
		updated_at,
	},
	CallbackLeadList: page,
	...widgetFields,
	NumberGroups: {
		leading: 'A regular expression for how the digits begin.',
		sizes: 'The sizes of the groups, such as `2 4 4,5`.',
	},
	WebhookEndpoint: endpoint,
	WebhookEndpointList: page,
	WebhookEndpointWithSecret: {
		...endpoint,
		secret: 'Signs every delivery. Returned only in this response and in its idempotent replays: store it now.',
	},
	WebhookDelivery: delivery,
	WebhookDeliveryList: page,
	WebhookDeliveryDetail: { ...delivery, attempts: 'Every attempt, oldest first.' },
	Attempt: {
		number: 'The number of the attempt, from 1.',
		started_at: 'When the attempt started.',
		response_status: 'The HTTP status of the response; null if there was none.',
		error: 'Why the attempt failed; null if it succeeded.',
		hint: 'What happened and what to do about it, in one sentence.',
		timings: 'How long each phase took.',
		response_body: 'The first 4 KiB of the response body, as text.',
	},
	Timings: {
		dns_ms: 'DNS lookup, in milliseconds; null if it was not needed.',
		connect_ms: 'TCP connect; null if a connection was reused or never made.',
		tls_ms: 'TLS handshake; null when `connect_ms` is.',
		first_byte_ms: 'Time to the first byte of the response; null if there was none.',
		total_ms: 'The whole attempt.',
	},
	Recovery: {
		dry_run: 'True if deliveries were only counted and nothing was sent.',
		matched: 'How many deliveries the endpoint missed, among the events that this request looked at.',
		queued: 'How many of them are queued to be sent again.',
		next_cursor:
			'Null when the recovery is complete. Otherwise older events are left: send the same request again with this as `cursor`.',
	},
	UpdateCallbackLead: { status: 'The new status; every change among the three is allowed.' },
	CreateWebhookEndpoint: {
		url: 'A public https URL without credentials or fragment. We store and return it normalised: `https:Example.com` becomes `https://example.com/`.',
		events: '1 to 6 distinct event types.',
		description: 'Your own note about the endpoint.',
		headers: CUSTOM_HEADERS,
	},
	ChangeWebhookEndpoint: {
		url: 'The same rules apply as at creation.',
		description: 'Null removes it.',
		events: '1 to 6 distinct event types. They replace the current ones.',
		headers: `${CUSTOM_HEADERS} They replace the current ones; null removes them.`,
		status: 'Enabling resets the count of failures.',
		resume:
			'With `status: enabled` only: what to do with deliveries that were held while the endpoint was disabled. `none` (default) leaves them held, `all` sends them, `since` sends those of events created at or after `since`. Sending starts within a minute, oldest first, at most 20 a second. You can retry or recover deliveries that stay held.',
		since: 'Required with `resume: since`, not allowed otherwise.',
	},
	RotateSecret: {
		overlap_seconds:
			'How long the older secrets keep signing, in seconds. At most 5 secrets are live: one more retires the oldest at once.',
	},
	TestWebhookEndpoint: { event: 'The event type to send.' },
	RecoverWebhookEndpoint: {
		since: 'Events created at or after this time.',
		until: 'Events created before this time, which must be later than `since`. Default: now.',
		mode: '`failed`: deliveries that ended failed, are held or were canceled. `missing`: also events that have no delivery to this endpoint.',
		dry_run: 'If true, only count the deliveries.',
		cursor: 'The `next_cursor` of the previous response; keep the other members. Valid for 24 hours.',
	},
	OpenApiDocument: { openapi: 'The OpenAPI version.' },
	CallEvent: webhook,
	CallEventData: {
		id: 'The id of the call.',
		workspace_id,
		status: 'The state of the call at that time.',
		duration_seconds: 'Whole seconds that the visitor and the team were connected; null until the call ends.',
	},
	CallbackEvent: webhook,
	CallbackEventData: { id: 'The id of the callback lead.', workspace_id, status: '`pending`.', source_url, created_at },
	Problem: {
		type: 'A URL that documents the code. Compare `code`, not this.',
		title: 'What the code means, in a few words.',
		status: 'The HTTP status.',
		detail: 'What is wrong with this request, for people to read.',
		instance: 'The path of the request.',
		code: 'Stable: switch on this.',
		request_id: 'The value of X-Request-Id. Include it when you ask for help.',
		errors: 'The invalid parts of the request, at most 20.',
		required_permission: 'With `insufficient_permission`: the permission that the key lacks.',
		call_status: 'With `call_already_terminal`: the state of the call.',
		reason: 'With `calls_unavailable`: why no call can be placed.',
		proof_of_work: 'With `rate_limited` on a widget route: work that may let the same request pass at once.',
		next_open_at: 'With `outside_business_hours`: when the team opens next; null if no opening is planned.',
	},
};

export const schemaDescriptions: Texts = {
	Id: 'A ULID: 26 characters that sort by creation time.',
	Timestamp: 'RFC 3339 in UTC, with milliseconds.',
	Instant: 'An RFC 3339 date-time with an offset, or a date for midnight UTC.',
	CallStatus: '`completed`, `failed` and `canceled` are terminal; a call may skip `ringing` and `connected`.',
	FailureReason: 'Why a call failed or was canceled. New values may be added: keep a default branch.',
	UnavailableReason: 'Why a workspace places no call. New values may be added: keep a default branch.',
	LeadStatus: 'A new lead is `pending`; your team changes it from there.',
	EventKind:
		'The event types that an endpoint can subscribe to. New values may be added; an endpoint receives only those it subscribes to.',
	DeliveryStatus:
		'`pending`: to be sent or retried; `succeeded`: the receiver answered 2xx; `failed`: the last attempt failed; `held`: the endpoint is disabled; `canceled`: the endpoint was deleted.',
	AttemptError: 'Why an attempt failed. New values may be added: keep a default branch.',
	EndpointStatus: 'Whether we send events to the endpoint.',
	DisabledReason:
		'`gone`: the receiver answered 410; `failing`: no delivery succeeded for days; `manual`: you disabled it. New values may be added: keep a default branch.',
	Call: "A visitor's request to be connected now.",
	CallbackLead: "A visitor's request to be called back later. It never places a call by itself.",
	CallRequest: 'The state of a call, for the page that requested it.',
	CallRequestStatus: 'The state of a call, for the page that polls it.',
	CancelOwnCall: 'Proof that the page requested the call.',
	CallbackLeadReceipt: 'The callback lead that a page created.',
	WidgetConfig: 'The settings of the widget.',
	ConsentTexts: 'What a visitor agrees to, in one language.',
	ConsentText: 'A consent text and its id.',
	NumberGuide: 'How the numbers of one region are written: a form reads them as people type them at home.',
	ProofOfWorkChallenge:
		'Find for each `round` from 0 to `rounds` - 1 a number `n` such that SHA-256(SHA-256(`challenge`) ‖ `round` ‖ `n`) begins with `zero_bits` zero bits; `round` and `n` are 4 bytes each, big-endian. Repeat the request with the header `Proof-Of-Work`.',
	NumberGroups: 'How a country groups the digits of some of its numbers.',
	WebhookEndpoint: 'An HTTPS URL of yours and the event types it subscribes to. A workspace has at most 20.',
	WebhookEndpointWithSecret: 'An endpoint with the secret that signs its deliveries.',
	WebhookDelivery: 'One event sent to one endpoint.',
	WebhookDeliveryDetail: 'A delivery with all its attempts.',
	Attempt: 'One POST and its outcome.',
	Timings: 'In milliseconds.',
	Recovery: 'The deliveries found by a recovery.',
	WidgetRequest: 'What the visitor entered.',
	WidgetLeadRequest: 'What the visitor entered who wants to be called later.',
	CallEvent: 'An event about a call.',
	CallbackEvent: 'An event about a new callback lead.',
	Problem: 'An error (RFC 9457).',
	FieldError: 'An invalid part of the request.',
};
