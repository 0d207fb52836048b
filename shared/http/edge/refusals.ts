import type { PageCode } from '../../contract/kernel/page.ts';
import type { FieldError, Problem, ProblemCode } from '../../contract/kernel/problem.ts';
import type { CallStatus } from '../../domain/calls/call.ts';
import { instantFault, type TimeRange } from '../../domain/kernel/time-range.ts';
import { MAX_ENDPOINTS_PER_WORKSPACE } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Language } from '../../domain/workspaces/language.ts';
import type { TargetRefusal } from '../../ports/webhook-sender.ts';

/** Why a request is refused: a problem of the API, or a problem that only pages have. */
export type EdgeProblem = Omit<Problem, 'code'> & {
	readonly code: ProblemCode | PageCode;
	/** The heading above `detail` on a page, and the language of both. */
	readonly page?: { readonly title: string; readonly language: Language };
};

/** Thrown to refuse a request, at any step. */
export class Refused extends Error {
	override readonly name = 'Refused';
	readonly problem: EdgeProblem;
	constructor(problem: EdgeProblem) {
		super(problem.code);
		this.problem = problem;
	}
}

// The refusals of the domain as problems of the API. They are defined only here, because several routes share them.

/** The header `Retry-After` (RFC 9110 section 10.2.3), in whole seconds. */
export function retryAfter(seconds: number): { readonly 'retry-after': string } {
	return { 'retry-after': String(seconds) };
}

/** The answer for an id of another workspace is exactly the answer for an unknown id. */
export const NOT_FOUND: Problem = { code: 'not_found', detail: 'Nothing has this path or id.' };

export const ORIGIN_NOT_ALLOWED: Problem = {
	code: 'origin_not_allowed',
	detail: 'This site may not use this workspace.',
};
const ORIGIN_MISSING: Problem = {
	code: 'origin_not_allowed',
	detail: 'The `Origin` header is missing. Browsers set it on a page; any other client has to send an allowed origin.',
};
const ORIGIN_OPAQUE: Problem = {
	code: 'origin_not_allowed',
	detail: 'The `Origin` is `null`: the page is a file or in a sandboxed frame. Open it at an allowed origin.',
};

/** The refusal of a request whose Origin header no workspace can allow: it is missing, `null` or too long. */
export function noOrigin(header: string | undefined): Problem {
	if (header === undefined || header === '') return ORIGIN_MISSING;
	return header === 'null' ? ORIGIN_OPAQUE : ORIGIN_NOT_ALLOWED;
}

export const SAME_REQUEST_IN_PROGRESS: Problem = {
	code: 'idempotency_conflict',
	detail: 'A request with the same Idempotency-Key is in progress.',
	headers: retryAfter(1),
};

const PRECONDITION_FAILED: Problem = {
	code: 'precondition_failed',
	detail: 'If-Match does not name the current ETag (with its quotes): read the resource again, then change it.',
};

/**
 * The refusal of one field of a body, or of one query parameter (`?name`). `mistake` says which kind of mistake it is, if
 * the code covers several kinds.
 */
export function atField(code: ProblemCode, pointer: string, detail: string, mistake: string = code): Problem {
	const errors: readonly FieldError[] = [{ pointer, code: mistake, detail }];
	return { code, detail, extra: { errors } };
}

const INSTANT_FAULTS = {
	without_offset: 'The time has no offset: end it with Z, or with an offset such as +01:00 (%2B01:00 in a URL).',
	unreadable: 'Give an RFC 3339 date-time with offset, such as 2026-11-21T12:30:00Z, or YYYY-MM-DD.',
	not_before_to: '`from` must be before `to`.',
} as const;

/** The refusal of a time in a body that `parseInstant` cannot read. */
export function noInstant(pointer: string, text: string): Problem {
	return atField('validation_failed', pointer, INSTANT_FAULTS[instantFault(text)], 'invalid_value');
}

/** The refusal of the time range of a list. */
export function invalidRange({ parameter, why }: Extract<TimeRange, { readonly refused: string }>): Problem {
	return atField('invalid_parameter', `?${parameter}`, INSTANT_FAULTS[why]);
}

/** The refusal of a cursor if events that should come after it have already expired. */
export const CURSOR_EXPIRED: Problem = {
	code: 'cursor_expired',
	detail:
		'The cursor is older than 30 days, and events after it are gone. Begin again without a cursor to get those that are kept.',
};

/** The refusals that every change of a single resource may have. */
export function resourceProblem(outcome: 'not_found' | 'precondition_failed'): Problem {
	return outcome === 'not_found' ? NOT_FOUND : PRECONDITION_FAILED;
}

export function urlProblem({ reason, hint = '' }: TargetRefusal): Problem {
	return atField('webhook_url_not_allowed', '/url', `${reason} ${hint}`.trim());
}

export const LIMIT_REACHED: Problem = {
	code: 'limit_reached',
	detail: `A workspace has at most ${MAX_ENDPOINTS_PER_WORKSPACE} webhook endpoints.`,
};

export function alreadyTerminal(call_status: CallStatus): Problem {
	return { code: 'call_already_terminal', detail: `The call is ${call_status}.`, extra: { call_status } };
}

export const ENDPOINT_DELETED: Problem = {
	code: 'endpoint_deleted',
	detail: 'The webhook endpoint of this delivery was deleted.',
};
export const ENDPOINT_DISABLED: Problem = {
	code: 'endpoint_disabled',
	detail: 'The webhook endpoint is disabled. Enable it first.',
};
export const DELIVERY_IN_PROGRESS: Problem = {
	code: 'delivery_in_progress',
	detail: 'An attempt of this delivery is in flight.',
};
