import type * as z from 'zod/mini';
import type * as leads from '../shared/contract/callback-leads.ts';
import type * as calls from '../shared/contract/calls.ts';
import type * as deliveries from '../shared/contract/webhook-deliveries.ts';
import type * as endpoints from '../shared/contract/webhook-endpoints.ts';

export type Call = z.infer<typeof calls.Call>;
export type CallbackLead = z.infer<typeof leads.CallbackLead>;
export type WebhookEndpoint = z.infer<typeof endpoints.WebhookEndpoint>;
export type WebhookEndpointWithSecret = z.infer<typeof endpoints.WebhookEndpointSecretResponse>['data'];
export type WebhookDelivery = z.infer<typeof deliveries.WebhookDelivery>;
export type WebhookDeliveryDetail = z.infer<typeof deliveries.WebhookDeliveryDetailResponse>['data'];
export type Attempt = z.infer<typeof deliveries.Attempt>;
export type Page<T> = { readonly data: readonly T[]; readonly has_more: boolean; readonly next_cursor: string | null };

/** A refusal of the API (RFC 9457). Switch on `code`. */
export class ApiError extends Error {
	override readonly name = 'ApiError';
	readonly status: number;
	/** One of the stable codes (`components.schemas.Problem` of the OpenAPI document), or `unknown`. */
	readonly code: string;
	/** The whole problem document. */
	readonly problem: Readonly<Record<string, unknown>>;
	/** Seconds to wait before asking again, where the API said so. */
	readonly retry_after_seconds: number | null;

	constructor(status: number, problem: Readonly<Record<string, unknown>>, retryAfter: string | null) {
		super(typeof problem['detail'] === 'string' ? problem['detail'] : `HTTP ${status}`);
		this.status = status;
		this.problem = problem;
		this.code = typeof problem['code'] === 'string' ? problem['code'] : 'unknown';
		this.retry_after_seconds = retryAfter === null ? null : Number(retryAfter);
	}
}

export type ClientOptions = {
	/** Ends in /v1. */
	readonly base_url: string;
	readonly api_key: string;
	/** Milliseconds until a request is given up; 30,000 unless told. */
	readonly timeout_ms?: number;
};

type ListFilters = {
	readonly status?: readonly string[];
	readonly from?: string;
	readonly to?: string;
	readonly limit?: number;
	readonly cursor?: string;
};
type Send = {
	readonly body?: unknown;
	readonly query?: Readonly<Record<string, unknown>>;
	readonly idempotency_key?: string;
};

function queryString(query: Readonly<Record<string, unknown>>): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, String(value));
	return search.size === 0 ? '' : `?${search}`;
}

/**
 * The server API. Methods answer the resource or throw `ApiError`; every method that changes something takes an
 * Idempotency-Key, with which it may be repeated safely.
 */
export function callBackClient(options: ClientOptions) {
	async function request<T>(method: string, path: string, send: Send = {}): Promise<T> {
		const headers: Record<string, string> = { authorization: `Bearer ${options.api_key}` };
		if (send.body !== undefined) headers['content-type'] = 'application/json';
		if (send.idempotency_key !== undefined) headers['idempotency-key'] = send.idempotency_key;
		const response = await fetch(`${options.base_url}${path}${queryString(send.query ?? {})}`, {
			method,
			headers,
			signal: AbortSignal.timeout(options.timeout_ms ?? 30_000),
			...(send.body === undefined ? {} : { body: JSON.stringify(send.body) }),
		});
		const text = await response.text();
		const value = text === '' ? null : JSON.parse(text);
		if (response.ok) return value;
		throw new ApiError(response.status, value ?? {}, response.headers.get('retry-after'));
	}
	type One<T> = Promise<{ readonly data: T }>;
	const id = encodeURIComponent;
	const filters = ({ status, ...rest }: ListFilters) => ({ ...rest, status: status?.join(',') });

	/** Walks a list from its newest item to its last, page by page. */
	async function* all<T>(page: (cursor?: string) => Promise<Page<T>>): AsyncGenerator<T> {
		for (let cursor: string | undefined; ; ) {
			const { data, next_cursor } = await page(cursor);
			yield* data;
			if (next_cursor === null) return;
			cursor = next_cursor;
		}
	}

	return {
		all,
		calls: {
			list: (query: ListFilters = {}): Promise<Page<Call>> => request('GET', '/calls', { query: filters(query) }),
			get: (call_id: string): One<Call> => request('GET', `/calls/${id(call_id)}`),
			cancel: (call_id: string, idempotency_key?: string): One<Call> =>
				request('POST', `/calls/${id(call_id)}/cancel`, keyed(idempotency_key)),
		},
		callbackLeads: {
			list: (query: ListFilters = {}): Promise<Page<CallbackLead>> =>
				request('GET', '/callback-leads', { query: filters(query) }),
			get: (lead_id: string): One<CallbackLead> => request('GET', `/callback-leads/${id(lead_id)}`),
			update: (lead_id: string, status: CallbackLead['status'], idempotency_key?: string): One<CallbackLead> =>
				request('PATCH', `/callback-leads/${id(lead_id)}`, { body: { status }, ...keyed(idempotency_key) }),
		},
		webhookEndpoints: {
			create: (
				body: z.input<typeof endpoints.CreateWebhookEndpoint>,
				idempotency_key?: string,
			): One<WebhookEndpointWithSecret> => request('POST', '/webhook-endpoints', { body, ...keyed(idempotency_key) }),
			list: (): Promise<Page<WebhookEndpoint>> => request('GET', '/webhook-endpoints'),
			get: (endpoint_id: string): One<WebhookEndpoint> => request('GET', `/webhook-endpoints/${id(endpoint_id)}`),
			change: (
				endpoint_id: string,
				body: z.input<typeof endpoints.ChangeWebhookEndpoint>,
				idempotency_key?: string,
			): One<WebhookEndpoint> =>
				request('PATCH', `/webhook-endpoints/${id(endpoint_id)}`, { body, ...keyed(idempotency_key) }),
			delete: (endpoint_id: string): Promise<null> => request('DELETE', `/webhook-endpoints/${id(endpoint_id)}`),
			rotateSecret: (
				endpoint_id: string,
				body: z.input<typeof endpoints.RotateSecret> = {},
				idempotency_key?: string,
			): One<WebhookEndpointWithSecret> =>
				request('POST', `/webhook-endpoints/${id(endpoint_id)}/rotate-secret`, { body, ...keyed(idempotency_key) }),
			test: (endpoint_id: string, body: z.input<typeof endpoints.TestWebhookEndpoint> = {}): One<Attempt> =>
				request('POST', `/webhook-endpoints/${id(endpoint_id)}/test`, { body }),
		},
		webhookDeliveries: {
			list: (
				query: ListFilters & {
					readonly endpoint_id?: string;
					readonly event?: string;
					readonly event_id?: string;
				} = {},
			): Promise<Page<WebhookDelivery>> => request('GET', '/webhook-deliveries', { query: filters(query) }),
			get: (delivery_id: string): One<WebhookDeliveryDetail> =>
				request('GET', `/webhook-deliveries/${id(delivery_id)}`),
			retry: (delivery_id: string, idempotency_key?: string): One<WebhookDelivery> =>
				request('POST', `/webhook-deliveries/${id(delivery_id)}/retry`, keyed(idempotency_key)),
		},
	};
}

function keyed(idempotency_key: string | undefined): Send {
	return idempotency_key === undefined ? {} : { idempotency_key };
}
