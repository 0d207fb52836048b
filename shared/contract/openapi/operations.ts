import type { routes } from '../routes.ts';

type Row = (typeof routes)[number];
/** Of telephony providers and of pages for people nobody makes a client. */
type Internal = Extract<Row, { readonly surface: 'provider' | 'team' }>['operation'];
type Operation = Exclude<Row['operation'], Internal>;

/** What there is to say of an operation beyond its summary. */
export const operationTexts: { readonly [O in Operation]: string } = {
	'list-calls':
		'Filter by status and by when they were asked for. A filter that matches little may give a short page, or an empty one, with `has_more`: go on with the cursor.',
	'get-call': "Everything there is to know of one call; another workspace's id answers exactly as an unknown one.",
	'cancel-call':
		'Hangs up whoever is ringing or talking. A call that has ended stays as it is: 409 `call_already_terminal`.',
	'list-callback-leads': 'What your team has to work through, and what it has worked through.',
	'get-callback-lead': "One lead; another workspace's id answers exactly as an unknown one.",
	'update-callback-lead': 'Every move among the three values is allowed; the same value again changes nothing.',
	'create-webhook-endpoint':
		'The address is checked now and again before every delivery: it must be https and lead to the public internet. The secret is answered here and nowhere else.',
	'list-webhook-endpoints':
		'Newest first. A workspace has at most 20, so one page has all of them, whatever the `limit`.',
	'get-webhook-endpoint': 'One endpoint, without its secret.',
	'change-webhook-endpoint':
		'What is left out stays as it is. Disabling holds deliveries back; `resume` says what becomes of them when it is enabled again.',
	'delete-webhook-endpoint': 'Nothing is sent to it any more. A second time answers 404.',
	'rotate-webhook-secret':
		'During the overlap every live secret signs, so a receiver may change over whenever it likes. At most 5 secrets are live: one more rotation retires the oldest at once, whatever its overlap.',
	'test-webhook-endpoint':
		'Signed and guarded as every delivery, about a subject that does not exist. Nothing is stored and nothing is retried. A test is given up after 5 seconds, and a workspace may ask for 10 a minute.',
	'recover-webhook-endpoint':
		'For a receiver that was down: what it missed is delivered again, spread over time. What succeeded meanwhile is left alone, so doing it twice doubles nothing. A workspace may ask for 10 a minute.',
	'list-webhook-deliveries': 'What was sent, what is still under way, and what failed.',
	'get-webhook-delivery': 'With every attempt: its timings, and how the answer began.',
	'retry-webhook-delivery': 'Same event id, new signature. Also for one that succeeded.',
	'request-call':
		'The team is rung, then the visitor, and both are joined. Poll its status as `poll_after_ms` says, or subscribe to its events.',
	'get-call-request-status': "Only for pages of the call's workspace; readable until an hour after the end.",
	'create-callback-lead': 'For when the team is closed, or the visitor would rather be called later.',
	'get-widget-config': 'May be kept for 60 seconds.',
	'get-openapi': 'The document that this page is made from.',
};

/** Groups of operations, by the first part of their path. */
export const tags: readonly { readonly name: string; readonly path: string; readonly description: string }[] = [
	{ name: 'Calls', path: 'calls', description: 'Visitors who are being called, or were.' },
	{ name: 'Callback leads', path: 'callback-leads', description: 'Visitors who want to be called later.' },
	{ name: 'Webhook endpoints', path: 'webhook-endpoints', description: 'Where events are sent.' },
	{ name: 'Webhook deliveries', path: 'webhook-deliveries', description: 'What was sent, and what came of it.' },
	{ name: 'Widget', path: 'widget', description: 'What pages ask for: no secret, but an allowed Origin.' },
	{ name: 'This document', path: 'openapi.json', description: 'The API in a form that programs read.' },
];

export const INTRODUCTION = `A visitor of your website leaves a phone number in a widget; the service rings your team, then the visitor, and joins them. Your servers read and cancel calls, work through callback leads and receive signed webhooks.

Servers send a secret API key as \`Authorization: Bearer …\`; each operation names the permission the key needs. A key may ask 600 times a minute and a workspace 1,200 times, unless your operator has set other limits; every answer says in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` what is left of the limit that is nearest to its end. Beyond it: 429 \`rate_limited\` with \`Retry-After\`. Pages send no secret: their Origin must be one that the workspace allows.

JSON in and out; times are UTC with milliseconds. Unknown members of a body and unknown query parameters are ignored, and answers may gain members: ignore what you do not know. Every response has an \`X-Request-Id\`. Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`. Only what never reaches the service is answered by the gateway before it, with \`{"message": …}\` and \`Apigw-Requestid\` instead: 400 to a request that is not HTTP, 413 to a body over 10 MB, 431 to a request line and headers over 10 KB, 429 far above every limit, and 500 or 503 if a function broke.

Operations that change something take an \`Idempotency-Key\`: sent again with the same body within 24 hours, it gets the first response again.

A callback lead and a webhook endpoint are answered with an \`ETag\`. Send it back as \`If-Match\` with your PATCH: if somebody else has changed the resource meanwhile, the answer is 412 and nothing is changed. Every GET also answers HEAD.

Lists come newest first, in pages of \`limit\`; give \`next_cursor\` as \`cursor\` with the same filters for the next page.`;
