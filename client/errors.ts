import type { FieldError, ProblemCode } from './wire.ts';

/** A problem document of the API (RFC 9457), as far as every one has it. */
export type ProblemDocument = {
	readonly code?: ProblemCode;
	readonly title?: string;
	readonly detail?: string;
	readonly request_id?: string;
	/** Where the request is wrong, for `validation_failed` and `invalid_parameter`. */
	readonly errors?: readonly FieldError[];
	/** Members of single codes, such as `call_status`, `required_permission`, `next_open_at`. */
	readonly [member: string]: unknown;
};

/** The API refused. Switch on `code`; new codes may come, so keep a default. */
export class ApiError extends Error {
	override readonly name = 'ApiError';
	readonly status: number;
	/** A stable code, or `unknown` where something between here and the API answered instead of it. */
	readonly code: ProblemCode | 'unknown';
	/** The whole problem document; empty where there was none. */
	readonly problem: ProblemDocument;
	/** Name it when you report a problem. */
	readonly request_id: string | null;
	/** Seconds to wait before asking again, where the API said so. */
	readonly retry_after_seconds: number | null;

	/** `hint` follows the message: what the client itself may have got wrong. */
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
 * No answer came: the connection failed, broke off, or took longer than `timeout_ms`. Whether the API did what was asked
 * is not known; asked again under the same Idempotency-Key it is done once.
 */
export class NoAnswerError extends Error {
	override readonly name = 'NoAnswerError';
	readonly code: 'timeout' | 'connection_failed';

	constructor(code: 'timeout' | 'connection_failed', cause: unknown) {
		super(code === 'timeout' ? 'No answer in time' : 'The connection failed', { cause });
		this.code = code;
	}
}

/** A whole number of seconds; null for anything else. */
function retryAfterSeconds(header: string | null): number | null {
	return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
