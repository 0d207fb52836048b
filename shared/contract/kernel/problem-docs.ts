import type { ProblemCode } from './problem.ts';

// These texts are not in the table of errors, because every function of the API bundles that table.

/** When the API answers with each error code, for the documentation. */
export const problemCauses: Readonly<Record<ProblemCode, string>> = {
	invalid_json:
		'The body cannot be parsed as JSON in UTF-8, or is empty although its content type is application/json.',
	unsupported_media_type:
		'A body was sent with a content type other than application/json, or with a content encoding such as gzip.',
	payload_too_large: 'The body is over 16 KiB.',
	invalid_parameter:
		'A query value is malformed or outside its range, a server route does not know a query parameter, or a time range is empty: `from` is not before `to`, or `since` not before `until`.',
	invalid_cursor: 'The cursor was changed, or belongs to other filters or another workspace.',
	cursor_expired:
		'The cursor of a list of events is older than 30 days. Events that came after it are gone, so going on from it could miss some.',
	validation_failed: 'The body does not match its schema; `errors` lists what is wrong.',
	consent_required: '`consent` is not true.',
	phone_invalid:
		'The number is not valid in international format (E.164). The `code` in `errors` says why: `empty`, `other_characters`, `no_plus`, `unknown_country`, `too_short`, `too_long`, `extension` (the service cannot dial one), or `not_in_plan` (its country has no such number).',
	country_not_allowed: "The number's region is not among those the workspace allows.",
	phone_not_callable:
		'The number is premium, shared-cost or satellite, or begins with digits that the workspace does not call.',
	page_url_mismatch: "`page_url` is not on the Origin's host.",
	unauthenticated: 'The Authorization header is missing, or the API key is unknown or revoked.',
	insufficient_permission: 'The key does not have `required_permission`.',
	invalid_workspace_key: 'No workspace has this `workspace_key`.',
	origin_not_allowed: 'The Origin header is missing, `null`, or not allowed by the workspace.',
	invalid_signature: "A telephony provider's request does not carry a valid signature.",
	not_found: 'The path or the id is unknown, or the resource belongs to another workspace.',
	method_not_allowed: 'The path exists, but not with this method; see `Allow`.',
	call_already_terminal: 'Only a non-terminal call can be cancelled; `call_status` says how it ended.',
	call_already_connected:
		'A visitor can cancel a call only until it is connected; after that, the call ends when either side hangs up.',
	precondition_failed:
		'`If-Match` is not the current `ETag`: the resource has changed since you read it. Nothing was changed.',
	delivery_in_progress: 'An attempt of this delivery is in flight or queued.',
	endpoint_deleted: 'The endpoint of this delivery no longer exists.',
	endpoint_disabled: 'The endpoint, or the endpoint of this delivery, is disabled. Enable it first.',
	idempotency_key_invalid: 'The key is not 1 to 255 printable ASCII characters.',
	idempotency_key_reused: 'The same key came with another body within 24 hours.',
	idempotency_conflict: 'A request with the same key is being answered right now; retry after `Retry-After`.',
	outside_business_hours: 'The team is closed; `next_open_at` says when it opens.',
	rate_limited:
		'A limit is exhausted: of the API key, the workspace, the IP address or the phone number. Retry after `Retry-After`. A number that is in a call, that was called often enough, or whose owner asked not to be called, gets the same answer for a call and for a callback, so that callers cannot tell the cases apart. Far above every limit (thousands of requests a second on one route) API Gateway itself answers 429: with `{"message":"Too Many Requests"}` instead of a problem, and without `Retry-After`; wait a second or more.',
	calls_unavailable:
		'No call can be placed; `reason` says why: `switched_off`, `no_team`, `no_agent_callable` (the rules of the workspace let no phone of its team ring), `no_provider`, or `daily_limit` (until midnight UTC). `GET /widget/config` also has `window_limit` (until the ten minutes end).',
	service_busy:
		'The request could not be served in time (storage or keys are throttled or unavailable). A change may have been made nevertheless. Retry after `Retry-After`.',
	webhook_url_not_allowed:
		'The URL is not https, is malformed, contains credentials, or resolves to a private or local address.',
	limit_reached: 'The workspace already has 20 webhook endpoints.',
	internal_error: 'An unexpected error. Include the request id when you ask for help.',
};
