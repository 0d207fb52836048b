import type { Problem } from '../contract/kernel/problem.ts';
import type { CallStatus } from '../domain/calls/call.ts';
import { MAX_ENDPOINTS_PER_WORKSPACE } from '../domain/webhooks/webhook-endpoint.ts';
import type { RetryRefusal } from '../use-cases/webhooks/retry-delivery.ts';

// How what the domain refuses reads on the wire. One place for each, because several routes refuse alike.

/** Nothing is told of other workspaces: their ids answer exactly as unknown ones. */
export const NOT_FOUND: Problem = { code: 'not_found', detail: 'Nothing has this path or id.' };

export const ORIGIN_NOT_ALLOWED: Problem = {
	code: 'origin_not_allowed',
	detail: 'This site may not use this workspace.',
};

export const TWIN_IN_PROGRESS: Problem = {
	code: 'idempotency_conflict',
	detail: 'A twin of this request is being answered right now.',
	headers: { 'retry-after': '1' },
};

const PRECONDITION_FAILED: Problem = {
	code: 'precondition_failed',
	detail: 'If-Match does not name the current ETag (with its quotes): read the resource again, then change it.',
};

export const NO_INSTANT = 'Give an RFC 3339 date-time or a date.';

/** A body's time range that ends before it begins: refused as a list's `from` and `to` are. */
export function emptyRange(pointer: string, detail: string): Problem {
	const errors = [{ pointer, code: 'invalid_parameter', detail }];
	return { code: 'invalid_parameter', detail, extra: { errors } };
}

/** A body that fits its schema and still says something impossible. */
export function invalidField(pointer: string, detail: string): Problem {
	const errors = [{ pointer, code: 'invalid_value', detail }];
	return { code: 'validation_failed', detail, extra: { errors } };
}

type EndpointRefusal =
	| { readonly refused: 'webhook_url_not_allowed'; readonly reason: string }
	| { readonly refused: 'not_found' | 'precondition_failed' | 'limit_reached' | 'idempotency_conflict' };

export function endpointProblem(refusal: EndpointRefusal): Problem {
	switch (refusal.refused) {
		case 'webhook_url_not_allowed': {
			const errors = [{ pointer: '/url', code: 'webhook_url_not_allowed', detail: refusal.reason }];
			return { code: 'webhook_url_not_allowed', detail: refusal.reason, extra: { errors } };
		}
		case 'limit_reached':
			return {
				code: 'limit_reached',
				detail: `A workspace has at most ${MAX_ENDPOINTS_PER_WORKSPACE} webhook endpoints.`,
			};
		case 'not_found':
		case 'precondition_failed':
		case 'idempotency_conflict':
			return resourceProblem(refusal.refused);
	}
}

/** Refusals that every change of one resource may meet. */
export function resourceProblem(refused: 'not_found' | 'precondition_failed' | 'idempotency_conflict'): Problem {
	switch (refused) {
		case 'not_found':
			return NOT_FOUND;
		case 'precondition_failed':
			return PRECONDITION_FAILED;
		case 'idempotency_conflict':
			return TWIN_IN_PROGRESS;
	}
}

type CancelRefusal =
	| { readonly refused: 'not_found' | 'idempotency_conflict' }
	| { readonly refused: 'call_already_terminal'; readonly call_status: CallStatus };

export function cancelProblem(refusal: CancelRefusal): Problem {
	switch (refusal.refused) {
		case 'call_already_terminal': {
			const { call_status } = refusal;
			return { code: 'call_already_terminal', detail: `The call is ${call_status}.`, extra: { call_status } };
		}
		case 'not_found':
			return NOT_FOUND;
		case 'idempotency_conflict':
			return TWIN_IN_PROGRESS;
	}
}

export function retryProblem(refused: RetryRefusal): Problem {
	switch (refused) {
		case 'endpoint_deleted':
			return { code: 'endpoint_deleted', detail: 'The webhook endpoint of this delivery was deleted.' };
		case 'endpoint_disabled':
			return {
				code: 'endpoint_disabled',
				detail: 'The webhook endpoint of this delivery is disabled. Enable it, then retry.',
			};
		case 'delivery_in_progress':
			return { code: 'delivery_in_progress', detail: 'An attempt of this delivery is in flight.' };
		case 'not_found':
			return NOT_FOUND;
		case 'idempotency_conflict':
			return TWIN_IN_PROGRESS;
	}
}
