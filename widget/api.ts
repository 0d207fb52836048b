import type * as z from 'zod/mini';
import type { FieldError, ProblemCode } from '../shared/contract/kernel/problem.ts';
import type { CallRequestResponse, LeadCreatedResponse, WidgetRequest } from '../shared/contract/visitors/widget.ts';
import type { Config } from './config.ts';

export type CallRequest = z.infer<typeof CallRequestResponse>['data'];
export type Lead = z.infer<typeof LeadCreatedResponse>['data'];

/** What a problem response says that the widget can act on. */
export type Refusal = {
	readonly data?: undefined;
	readonly code: ProblemCode;
	readonly next_open_at?: string;
	readonly errors?: readonly FieldError[];
};
export type Answer<T> = { readonly data: T; readonly code?: undefined } | Refusal;

/** The widget's routes below `baseUrl`, which ends in /v1. */
export function createApi(baseUrl: string, workspaceKey: string) {
	let intent = '';
	let key = '';

	/**
	 * One request. Throws when another try is worth it: no network, a refused origin (a browser does not tell the two
	 * apart), an answer that is not JSON, or one that says "not now". A spent limit passes only for a question.
	 */
	async function ask<T>(path: string, init: RequestInit): Promise<Answer<T>> {
		const response = await fetch(`${baseUrl}/widget/${path}`, init);
		const { status, headers } = response;
		const body: Answer<T> = await response.json();
		const passes = status > 499 || (status === 429 && !init.body) || body.code === 'idempotency_conflict';
		if (!passes || body.code === 'calls_unavailable') return body;
		throw new Error(body.code, { cause: Number(headers.get('retry-after')) * 1000 });
	}

	return {
		config: (signal: AbortSignal) => ask<Config>(`config?workspace_key=${workspaceKey}`, { signal }),
		status: (id: string, signal: AbortSignal) => ask<CallRequest>(`call-requests/${id}/status`, { signal }),
		/** The same wish keeps its key until it is answered, so however often it is sent, it is granted once. */
		async create(path: 'call-requests' | 'callback-leads', wish: WidgetRequest, signal: AbortSignal) {
			const body = JSON.stringify(wish);
			if (intent !== path + body) key = crypto.randomUUID();
			intent = path + body;
			const headers = { 'content-type': 'application/json', 'idempotency-key': key };
			const answer = await ask<CallRequest | Lead>(path, { method: 'POST', body, headers, signal });
			intent = '';
			return answer;
		},
	};
}
export type Api = ReturnType<typeof createApi>;
