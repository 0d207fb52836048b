import type { FieldError, ProblemCode } from './wire.ts';

/** The fields of the API's problem documents (RFC 9457). */
export type ProblemDocument = {
	readonly code?: ProblemCode;
	readonly title?: string;
	readonly detail?: string;
	readonly request_id?: string;
	/** The invalid parts of the request. Only for `validation_failed` and `invalid_parameter`. */
	readonly errors?: readonly FieldError[];
	/** Fields that only some codes have, such as `call_status`, `required_permission`, `next_open_at`. */
	readonly [member: string]: unknown;
};

/** The API refused the request. Decide by `code`, and keep a default branch, because new codes may be added. */
export class ApiError extends Error {
	override readonly name = 'ApiError';
	readonly status: number;
	/** A stable code. It is `unknown` if something other than the API answered, such as a proxy. */
	readonly code: ProblemCode | 'unknown';
	/** The whole problem document. Empty if the response had none. */
	readonly problem: ProblemDocument;
	/** The id of the request. Null if the response had none. Include the id when you report a problem. */
	readonly request_id: string | null;
	/** How many seconds to wait before the next try. Null if the API did not say so. */
	readonly retry_after_seconds: number | null;

	/** `hint` is added to the message. It names a likely mistake in the client's own configuration. */
	constructor(status: number, problem: ProblemDocument, headers: Headers, hint = '') {
		super(`${problem.detail ?? `HTTP ${status}`}${hint}`);
		this.status = status;
		this.code = problem.code ?? 'unknown';
		this.problem = problem;
		this.request_id = problem.request_id ?? headers.get('x-request-id');
		this.retry_after_seconds = retryAfterSeconds(headers.get('retry-after'));
	}
}

/**
 * No response arrived: the connection failed or broke, or the response took longer than `timeout_ms`. It is unknown whether
 * the API carried out the request. If you repeat it with the same Idempotency-Key, it is carried out once.
 */
export class NoAnswerError extends Error {
	override readonly name = 'NoAnswerError';
	readonly code: 'timeout' | 'connection_failed';

	constructor(code: 'timeout' | 'connection_failed', cause: unknown) {
		super(code === 'timeout' ? 'No answer in time' : 'The connection failed', { cause });
		this.code = code;
	}
}

/** Reads a whole number of seconds. Null for any other text. */
function retryAfterSeconds(header: string | null): number | null {
	return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
