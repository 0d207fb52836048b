// What the document says of each schema and of each of its members. A test finds what is missing.

type Texts = Readonly<Record<string, string>>;

const id = 'Its ULID.';
const workspace_id = 'The workspace it belongs to.';
const created_at = 'When it was made.';
const updated_at = 'When it was last changed.';
const visitor_phone_masked = "The visitor's number, all but its last digits hidden.";
const source_url = 'The page the visitor asked from: without fragment, and of its query only what starts with `utm_`.';
const page = {
	data: 'Newest first.',
	has_more: 'Whether there is another page.',
	next_cursor: 'Give it as `cursor`, with the same filters, for the next page; null on the last.',
};

const endpoint: Texts = {
	id,
	workspace_id,
	url: 'Where events are posted.',
	description: 'Your own words about it.',
	events: 'What it is told of.',
	status: 'Only an enabled endpoint is sent to.',
	disabled_reason: 'Why it is disabled; null while it is enabled.',
	created_at,
	updated_at,
};

const delivery: Texts = {
	id,
	endpoint_id: 'The endpoint it is for.',
	event_id: "The event's id, the same for all endpoints and attempts: deduplicate by it.",
	event: 'What kind of event.',
	status: 'Where it stands.',
	attempt_count: 'Attempts made so far.',
	next_attempt_at: 'When it is tried next; null when it is not.',
	last_attempt_at: 'When it was last tried.',
	response_status: 'What the newest attempt was answered; null without an answer.',
	error: 'Why the newest attempt did not succeed.',
	created_at,
};

const webhook = {
	id: "The event's id: deduplicate by it.",
	event: 'What happened.',
	created_at: 'When it happened.',
	data: 'About what.',
};

export const fieldDescriptions: Readonly<Record<string, Texts>> = {
	Call: {
		id,
		workspace_id,
		status: 'Where the call stands.',
		visitor_phone_masked,
		source_url,
		connected_at: 'When visitor and team could first hear each other; null if they never did.',
		completed_at: 'When it ended, in whatever way; null before.',
		duration_seconds: 'Whole seconds that both spoke; null until it has ended, 0 if they never did.',
		created_at: 'When the visitor asked.',
		failure_reason: 'Why it did not come about; null unless it failed or was canceled.',
	},
	CallList: page,
	CallbackLead: {
		id,
		workspace_id,
		name: 'The name the visitor gave.',
		visitor_phone_masked,
		source_url,
		status: 'What your team has made of it.',
		created_at,
		updated_at,
	},
	CallbackLeadList: page,
	CallRequest: {
		id: 'The id of the call.',
		status: 'Where the call stands.',
		poll_after_ms: 'Milliseconds to wait before asking again; null when there is nothing more to learn.',
	},
	CallbackLeadReceipt: { id: 'The id of the callback lead.', status: '`pending`.' },
	WidgetConfig: {
		open: 'Whether a call can be asked for now.',
		next_open_at: 'When the team opens next; null while it is open, or when nobody knows.',
		consent_text: 'What the visitor must agree to, word for word.',
		regions: 'Regions whose numbers are called (ISO 3166-1 alpha-2).',
	},
	WebhookEndpoint: endpoint,
	WebhookEndpointList: page,
	WebhookEndpointWithSecret: {
		...endpoint,
		secret: 'Signs every delivery. Shown only here and in a replay of this very request; keep it.',
	},
	WebhookDelivery: delivery,
	WebhookDeliveryList: page,
	WebhookDeliveryDetail: { ...delivery, attempts: 'Every attempt, oldest first.' },
	Attempt: {
		number: 'Counts the attempts of a delivery from 1.',
		started_at: 'When it began.',
		response_status: 'The status that was answered; null without an answer.',
		error: 'Why it did not succeed; null when it did.',
		hint: 'What happened and what to do, in a sentence.',
		timings: 'How long each phase took.',
		response_body: 'The first 4 KiB of the answer, as text.',
	},
	Timings: {
		dns_ms: 'Looking up the name, in milliseconds; null when it was not needed.',
		connect_ms: 'Connecting; null when a connection was reused or never made.',
		tls_ms: 'Agreeing on TLS; null like `connect_ms`.',
		first_byte_ms: 'Until the first byte of the answer; null without one.',
		total_ms: 'All of it.',
	},
	Recovery: {
		dry_run: 'True: nothing was sent, only counted.',
		matched: 'How many deliveries were missed.',
		queued: 'How many of them are on their way again.',
	},
	WidgetRequest: {
		workspace_key: 'The public key of the workspace.',
		phone:
			'The number to call, in international format with its `+`. Spaces, dots, dashes, brackets and the unseen direction marks of a pasted number are dropped; any other character is refused.',
		name: 'What the team should call the visitor. Line breaks become spaces; control, direction and zero-width characters are dropped.',
		consent: 'Must be true: the visitor has agreed to the text of the configuration.',
		page_url: "The page it is asked from; its host must be the Origin's.",
	},
	UpdateCallbackLead: { status: 'Any of the three, from any of the three.' },
	CreateWebhookEndpoint: {
		url: 'An https address on the public internet, without credentials and fragment. It is kept and answered in its normal form: `https:Example.com` is `https://example.com/`.',
		events: '1 to 6 distinct kinds.',
		description: 'Your own words about it.',
	},
	ChangeWebhookEndpoint: {
		url: 'Checked as at the creation.',
		description: 'Null takes it away.',
		events: '1 to 6 distinct kinds: all that it shall be told of from now on.',
		status: 'Enabling begins anew, whatever was held against it.',
		resume:
			'With `status: enabled` only: what becomes of deliveries held while the endpoint was disabled. `none` (default) leaves them held, `all` sends them, `since` sends those of events created at or after `since`. They are sent from within a minute on, oldest first, at most 20 a second. Whatever stays held can be retried or recovered.',
		since: 'With `resume: since` only, and then required.',
	},
	RotateSecret: {
		overlap_seconds:
			'How long the older secrets keep signing, in seconds. Of more than 5 live secrets the oldest stops at once.',
	},
	TestWebhookEndpoint: { event: 'Which kind of event to make up.' },
	RecoverWebhookEndpoint: {
		since: 'Events created at or after this.',
		until: 'Events created before this; later than `since`. Now unless given.',
		mode: '`failed`: deliveries that ended failed, are held or were canceled. `missing`: also events that have no delivery to this endpoint.',
		dry_run: 'Only count.',
	},
	OpenApiDocument: { openapi: 'The version of OpenAPI.' },
	CallEvent: webhook,
	CallEventData: {
		id: 'The id of the call.',
		workspace_id,
		status: 'Where the call stood then.',
		duration_seconds: 'Whole seconds that both spoke; null until the call has ended.',
	},
	CallbackEvent: webhook,
	CallbackEventData: { id: 'The id of the callback lead.', workspace_id, status: '`pending`.', source_url, created_at },
	Problem: {
		type: 'A stable URI of the code.',
		title: 'The code in words.',
		status: 'The HTTP status.',
		detail: 'What is wrong with this request, for a person.',
		instance: 'The path that was asked for.',
		code: 'Stable: switch on it.',
		request_id: 'The value of X-Request-Id; tell it when you ask for help.',
		errors: 'Each place in the request that is not valid, 20 at most.',
		required_permission: 'With `insufficient_permission`: the permission that the key lacks.',
		call_status: 'With `call_already_terminal`: how the call ended.',
		next_open_at: 'With `outside_business_hours`: when the team opens next; null when nobody knows.',
	},
};

export const schemaDescriptions: Texts = {
	Id: 'A ULID: 26 characters, sorted by the time it was made.',
	Timestamp: 'RFC 3339 in UTC, with milliseconds.',
	Instant: 'An RFC 3339 date-time with its offset, or a date for midnight UTC.',
	CallStatus: '`completed`, `failed` and `canceled` are terminal; `ringing` and `connected` may be skipped.',
	FailureReason: 'Why a call did not come about.',
	LeadStatus: '`pending` at first; the rest is up to your team.',
	EventKind: 'What can be subscribed to.',
	DeliveryStatus:
		'`pending`: on its way; `succeeded`: answered with 2xx; `failed`: given up; `held`: the endpoint is disabled; `canceled`: not wanted any more.',
	AttemptError: 'Why an attempt did not succeed.',
	EndpointStatus: 'Whether events are sent.',
	DisabledReason: '`gone`: it answered 410; `failing`: nothing succeeded for days; `manual`: by you.',
	Call: "A visitor's request to be connected now.",
	CallbackLead: "A visitor's request to be called back later. It never places a call by itself.",
	CallRequest: 'What a waiting page learns of its call.',
	CallbackLeadReceipt: 'What a page learns of the callback lead it made.',
	WidgetConfig: 'What the widget shows.',
	WebhookEndpoint: 'An HTTPS address of yours and what it is told of. A workspace has at most 20.',
	WebhookEndpointWithSecret: 'An endpoint with the secret that signs what is sent to it.',
	WebhookDelivery: 'One event for one endpoint.',
	WebhookDeliveryDetail: 'A delivery with every attempt.',
	Attempt: 'One POST and what came of it.',
	Timings: 'In milliseconds.',
	Recovery: 'What was found to deliver again.',
	WidgetRequest: 'What a visitor filled in.',
	CallEvent: 'A fact about a call.',
	CallbackEvent: 'A new callback lead.',
	Problem: 'An error (RFC 9457).',
	FieldError: 'A place in the request that is not valid.',
};
