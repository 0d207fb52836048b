/** Every error code of the API, with its status and its title. problem-docs.ts says when the API answers with each code. */
export const problems = {
	invalid_json: { status: 400, title: 'The body is not valid JSON' },
	unsupported_media_type: { status: 415, title: 'Unsupported content type' },
	payload_too_large: { status: 413, title: 'The body is too large' },
	invalid_parameter: { status: 400, title: 'A parameter is not valid' },
	invalid_cursor: { status: 400, title: 'The cursor is not valid' },
	cursor_expired: { status: 410, title: 'The cursor is older than what is kept' },
	validation_failed: { status: 422, title: 'The request is not valid' },
	consent_required: { status: 422, title: 'Consent is required' },
	phone_invalid: { status: 422, title: 'The phone number is not valid' },
	country_not_allowed: { status: 422, title: 'Calls to this region are not offered' },
	phone_not_callable: { status: 422, title: 'This number cannot be called' },
	page_url_mismatch: { status: 422, title: 'The page is not on the requesting site' },
	unauthenticated: { status: 401, title: 'An API key is required' },
	insufficient_permission: { status: 403, title: 'The API key lacks a permission' },
	invalid_workspace_key: { status: 403, title: 'The workspace key is not valid' },
	origin_not_allowed: { status: 403, title: 'This origin is not allowed' },
	invalid_signature: { status: 403, title: 'The signature is not valid' },
	not_found: { status: 404, title: 'Not found' },
	method_not_allowed: { status: 405, title: 'Method not allowed' },
	call_already_terminal: { status: 409, title: 'The call has already ended' },
	call_already_connected: { status: 409, title: 'The call is already connected' },
	precondition_failed: { status: 412, title: 'The resource has changed' },
	delivery_in_progress: { status: 409, title: 'The delivery is in progress' },
	endpoint_deleted: { status: 409, title: 'The webhook endpoint was deleted' },
	endpoint_disabled: { status: 409, title: 'The webhook endpoint is disabled' },
	idempotency_key_invalid: { status: 400, title: 'The Idempotency-Key is not valid' },
	idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used with another body' },
	idempotency_conflict: { status: 409, title: 'A request with this Idempotency-Key is in progress' },
	outside_business_hours: { status: 409, title: 'Closed now' },
	rate_limited: { status: 429, title: 'Too many requests' },
	calls_unavailable: { status: 503, title: 'Calls are not available now' },
	service_busy: { status: 503, title: 'Busy' },
	webhook_url_not_allowed: { status: 422, title: 'This webhook URL is not allowed' },
	limit_reached: { status: 409, title: 'A limit of the workspace is reached' },
	internal_error: { status: 500, title: 'Something went wrong on our side' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/** Whether a refusal's code is also a code of the API. A few codes are only for pages. */
export function isProblemCode(code: string): code is ProblemCode {
	return Object.hasOwn(problems, code);
}

/** An invalid part of the request. `pointer` is a JSON Pointer into the body, or `?name` for a query parameter. */
export type FieldError = { readonly pointer: string; readonly code: string; readonly detail: string };

/** A refusal. The HTTP layer turns it into a problem response (RFC 9457). */
export type Problem = {
	readonly code: ProblemCode;
	readonly detail: string;
	/** Further fields of the problem, such as `required_permission`, `call_status`, `next_open_at`, `errors`. */
	readonly extra?: Readonly<Record<string, unknown>>;
	readonly headers?: Readonly<Record<string, string>>;
	/**
	 * A more precise reason than `code`. The reason is only for the operators' log, because the client must not learn it.
	 */
	readonly reason?: string;
};

/**
 * A problem's `type`: the section about the code in the documentation at `docsUrl`. Without `docsUrl`, a URI that only
 * identifies the code.
 */
export function problemType(code: ProblemCode, docsUrl: string | null = null): string {
	return docsUrl === null ? `https://docs.callback-widget.example/problems/${code}` : `${docsUrl}/problems#${code}`;
}
