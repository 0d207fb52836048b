/** Every error code of the API: its status, its title, and when we answer it. */
export const problems = {
	invalid_json: {
		status: 400,
		title: 'The body is not valid JSON',
		when: 'The body cannot be parsed as JSON in UTF-8, or is empty although its content type is application/json.',
	},
	unsupported_media_type: {
		status: 415,
		title: 'Unsupported content type',
		when: 'A body was sent with a content type other than application/json, or with a content encoding such as gzip.',
	},
	payload_too_large: { status: 413, title: 'The body is too large', when: 'The body is over 16 KiB.' },
	invalid_parameter: {
		status: 400,
		title: 'A parameter is not valid',
		when: 'A query value is malformed or outside its range, or a time range is empty: `from` is not before `to`, or `since` not before `until`.',
	},
	invalid_cursor: {
		status: 400,
		title: 'The cursor is not valid',
		when: 'The cursor was changed, has expired, or belongs to other filters or another workspace.',
	},
	validation_failed: {
		status: 422,
		title: 'The request is not valid',
		when: 'The body does not match its schema; `errors` lists what is wrong.',
	},
	consent_required: { status: 422, title: 'Consent is required', when: '`consent` is not true.' },
	phone_invalid: {
		status: 422,
		title: 'The phone number is not valid',
		when: 'The number is not valid in international format (E.164). The `code` in `errors` says why: `empty`, `other_characters`, `no_plus`, `unknown_country`, `too_short`, `too_long`, or `not_in_plan` (its country has no such number).',
	},
	country_not_allowed: {
		status: 422,
		title: 'Calls to this region are not offered',
		when: "The number's region is not among those the workspace allows.",
	},
	phone_not_callable: {
		status: 422,
		title: 'This number cannot be called',
		when: 'The number is premium, shared-cost or satellite, or begins with digits that the workspace does not call.',
	},
	page_url_mismatch: {
		status: 422,
		title: 'The page is not on the requesting site',
		when: "`page_url` is not on the Origin's host.",
	},
	unauthenticated: {
		status: 401,
		title: 'An API key is required',
		when: 'The Authorization header is missing, or the API key is unknown or revoked.',
	},
	insufficient_permission: {
		status: 403,
		title: 'The API key lacks a permission',
		when: 'The key does not have `required_permission`.',
	},
	invalid_workspace_key: {
		status: 403,
		title: 'The workspace key is not valid',
		when: 'No workspace has this `workspace_key`.',
	},
	origin_not_allowed: {
		status: 403,
		title: 'This origin is not allowed',
		when: 'The Origin header is missing, `null`, or not allowed by the workspace.',
	},
	invalid_signature: {
		status: 403,
		title: 'The signature is not valid',
		when: "A telephony provider's request does not carry a valid signature.",
	},
	not_found: {
		status: 404,
		title: 'Not found',
		when: 'The path or the id is unknown, or the resource belongs to another workspace.',
	},
	method_not_allowed: {
		status: 405,
		title: 'Method not allowed',
		when: 'The path exists, but not with this method; see `Allow`.',
	},
	call_already_terminal: {
		status: 409,
		title: 'The call has already ended',
		when: 'Only a non-terminal call can be cancelled; `call_status` says how it ended.',
	},
	call_already_connected: {
		status: 409,
		title: 'The call is already connected',
		when: 'A visitor can cancel a call only until it is connected; after that, the call ends when either side hangs up.',
	},
	precondition_failed: {
		status: 412,
		title: 'The resource has changed',
		when: '`If-Match` is not the current `ETag`: the resource has changed since you read it. Nothing was changed.',
	},
	delivery_in_progress: {
		status: 409,
		title: 'The delivery is in progress',
		when: 'An attempt of this delivery is in flight or queued.',
	},
	endpoint_deleted: {
		status: 409,
		title: 'The webhook endpoint was deleted',
		when: 'The endpoint of this delivery no longer exists.',
	},
	endpoint_disabled: {
		status: 409,
		title: 'The webhook endpoint is disabled',
		when: 'The endpoint, or the endpoint of this delivery, is disabled. Enable it first.',
	},
	idempotency_key_invalid: {
		status: 400,
		title: 'The Idempotency-Key is not valid',
		when: 'The key is not 1 to 255 printable ASCII characters.',
	},
	idempotency_key_reused: {
		status: 422,
		title: 'The Idempotency-Key was used with another body',
		when: 'The same key came with another body within 24 hours.',
	},
	idempotency_conflict: {
		status: 409,
		title: 'A request with this Idempotency-Key is in progress',
		when: 'A request with the same key is being answered right now; retry after `Retry-After`.',
	},
	outside_business_hours: {
		status: 409,
		title: 'Closed now',
		when: 'The team is closed; `next_open_at` says when it opens.',
	},
	rate_limited: {
		status: 429,
		title: 'Too many requests',
		when: 'A limit is exhausted: of the API key, the workspace, the IP address or the phone number. Retry after `Retry-After`. A number that is already in a call, or whose owner asked not to be called, gets the same answer, so that callers cannot tell the cases apart. On a widget route the answer offers work, `proof_of_work`: while a workspace has used half of its window, only requests with that proof pass. Far above every limit (thousands of requests a second on one route) API Gateway itself answers 429: with `{"message":"Too Many Requests"}` instead of a problem, and without `Retry-After`; wait a second or more.',
	},
	calls_unavailable: {
		status: 503,
		title: 'Calls are not available now',
		when: 'No call can be placed; `reason` says why: `switched_off`, `no_team`, `no_provider`, or `daily_limit` (until midnight UTC).',
	},
	service_busy: {
		status: 503,
		title: 'Busy',
		when: 'The request could not be served in time (storage or keys are throttled or unavailable); nothing was changed. Retry after `Retry-After`.',
	},
	webhook_url_not_allowed: {
		status: 422,
		title: 'This webhook URL is not allowed',
		when: 'The URL is not https, is malformed, contains credentials, or resolves to a private or local address.',
	},
	limit_reached: {
		status: 409,
		title: 'A limit of the workspace is reached',
		when: 'The workspace already has 20 webhook endpoints.',
	},
	internal_error: {
		status: 500,
		title: 'Something went wrong on our side',
		when: 'An unexpected error. Include the request id when you ask for help.',
	},
} as const satisfies Record<string, { status: number; title: string; when: string }>;

export type ProblemCode = keyof typeof problems;

/** Whether the API uses this code: a few codes are only for pages. */
export function isProblemCode(code: string): code is ProblemCode {
	return Object.hasOwn(problems, code);
}

/** An invalid part of the request: a JSON Pointer into the body, or `?name` of a query parameter. */
export type FieldError = { readonly pointer: string; readonly code: string; readonly detail: string };

/** A refusal, which the edge turns into a problem response (RFC 9457). */
export type Problem = {
	readonly code: ProblemCode;
	readonly detail: string;
	/** Additional members, such as `required_permission`, `call_status`, `next_open_at`, `errors`. */
	readonly extra?: Readonly<Record<string, unknown>>;
	readonly headers?: Readonly<Record<string, string>>;
};

/**
 * The `type` of a problem: the section of its code in the documentation at `docs_url`; without one, a URI that only identifies
 * the code.
 */
export function problemType(code: ProblemCode, docs_url: string | null = null): string {
	return docs_url === null ? `https://docs.callback-widget.example/problems/${code}` : `${docs_url}/problems#${code}`;
}
