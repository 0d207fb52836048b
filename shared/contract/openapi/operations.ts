import type { routes } from '../routes.ts';

type Row = (typeof routes)[number];
/** Operations of telephony providers and of pages for people: clients do not use them. */
type Internal = Extract<Row, { readonly surface: 'provider' | 'team' }>['operation'];
type Operation = Exclude<Row['operation'], Internal>;

/** Descriptions of the public operations. */
export const operationTexts: { readonly [O in Operation]: string } = {
	'list-calls':
		'Filter by status and creation time. A filter that matches few calls can return a short or empty page with `has_more: true`: continue with the cursor.',
	'get-call': 'Returns one call. IDs from other workspaces return 404.',
	'cancel-call': 'Hangs up every leg. A call that has already ended is not changed: 409 `call_already_terminal`.',
	'list-callback-leads': 'Filter by status and creation time.',
	'get-callback-lead': 'Returns one lead. IDs from other workspaces return 404.',
	'update-callback-lead': 'Every change among the three values is allowed. Setting the current value changes nothing.',
	'create-webhook-endpoint':
		'We check the URL now and again before every delivery: it must be https and resolve to a public address. The signing secret is returned only in this response.',
	'list-webhook-endpoints':
		'Newest first. A workspace has at most 20 endpoints, so one page always returns all of them; `limit` has no effect.',
	'get-webhook-endpoint': 'Returns one endpoint without its secret.',
	'change-webhook-endpoint':
		'Omitted members keep their values. While an endpoint is disabled its deliveries are held; `resume` decides what happens to them when you enable it again.',
	'delete-webhook-endpoint': 'Stops all deliveries to it. Deleting it again returns 404.',
	'rotate-webhook-secret':
		'Creates a signing secret and returns it. During the overlap every live secret signs, so that your receiver can switch at any time. At most 5 secrets are live: one more rotation retires the oldest at once.',
	'test-webhook-endpoint':
		'Sends an event about a made-up call or lead, signed like every delivery. It is neither stored nor retried. It times out after 5 seconds. Limit: 10 a minute for each workspace.',
	'recover-webhook-endpoint':
		'For a receiver that was down: sends what it missed, spread over time. Deliveries that have succeeded are skipped, so running it twice sends nothing twice. It stops after about 10 seconds: while `next_cursor` is not null, repeat the request with it as `cursor`. Limit: 10 a minute for each workspace.',
	'list-webhook-deliveries': 'Filter by endpoint, status, event type, event and creation time.',
	'get-webhook-delivery': 'Returns one delivery with every attempt: its timings, and the start of the response body.',
	'retry-webhook-delivery':
		'Sends the event again with the same event id and a new signature, also if it succeeded before.',
	'request-call':
		'Rings the team, then the visitor, and connects them. Poll the status at the pace of `poll_after_ms`, or subscribe to the events. The header `Cancel-Secret` of the answer lets this page cancel the call before it connects.',
	'get-call-request-status': "For pages of the call's workspace only. Readable until an hour after the call ends.",
	'cancel-call-request':
		'Needs no API key, only an allowed Origin and the `Cancel-Secret` that answered the request for the call. A wrong secret answers like an unknown call.',
	'create-callback-lead': 'Use it when the team is closed or the visitor prefers a later call.',
	'get-widget-config': 'Whether the team is open, the consent text and the regions. Cacheable for 60 seconds.',
	'get-openapi': 'The document behind this page.',
};

/** Groups of operations, by the first part of their path. */
export const tags: readonly { readonly name: string; readonly path: string; readonly description: string }[] = [
	{ name: 'Calls', path: 'calls', description: 'Calls between a visitor and the team, current and past.' },
	{ name: 'Callback leads', path: 'callback-leads', description: 'Visitors who asked to be called later.' },
	{ name: 'Webhook endpoints', path: 'webhook-endpoints', description: 'HTTPS URLs that receive events.' },
	{
		name: 'Webhook deliveries',
		path: 'webhook-deliveries',
		description: 'Events sent to endpoints, and the outcome of each attempt.',
	},
	{ name: 'Widget', path: 'widget', description: 'For pages: an allowed Origin instead of an API key.' },
	{ name: 'This document', path: 'openapi.json', description: 'The API as an OpenAPI document.' },
];

export const INTRODUCTION = `A visitor to your website enters a phone number in a widget; the service rings your team, then the visitor, and connects them. Your servers list and cancel calls, process callback leads and receive signed webhooks.

# Authentication
Servers send a secret API key as \`Authorization: Bearer …\`; each operation names the permission that the key needs. Pages send no secret: the workspace must allow their Origin.

# Rate limits
An API key has 600 requests a minute and a workspace 1,200, unless your operator sets other limits. Every response carries \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` for the limit closest to exhaustion. Over a limit you get 429 \`rate_limited\` with \`Retry-After\` in seconds: wait that long, then retry. Testing and recovering endpoints is limited to 10 requests a minute for each workspace.

# Requests and responses
Bodies are JSON; times are UTC with milliseconds. We ignore unknown members of a body and unknown query parameters, and responses may gain members: ignore the ones you do not know. Every response has an \`X-Request-Id\`. Every GET route also answers HEAD.

# Errors
Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`. A request that never reaches the service is answered by API Gateway with \`{"message": …}\` and \`Apigw-Requestid\` instead: 400 if it is not HTTP, 413 for a body over 10 MB, 431 for a request line and headers over 10 KB, 429 far above every limit, and 500 or 503 if a function crashed.

# Idempotency
Operations that change something take an \`Idempotency-Key\`. If you repeat a request with the same key and body within 24 hours, you get the first response again and nothing is changed twice.

# Concurrent changes
Callback leads and webhook endpoints come with an \`ETag\`. Send it back as \`If-Match\` with your PATCH: if the resource has changed in the meantime, you get 412 and nothing is changed.

# Lists
Lists are sorted newest first, in pages of \`limit\`. To get the next page, send \`next_cursor\` as \`cursor\` with the same filters.`;
