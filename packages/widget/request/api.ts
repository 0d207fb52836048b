import type * as z from 'zod/mini';
import type { FieldError, ProblemCode } from '../../../shared/contract/kernel/problem.ts';
import type {
	CallRequestResponse,
	CallRequestStatusResponse,
	LeadCreatedResponse,
	WidgetLeadRequest,
} from '../../../shared/contract/widget/widget.ts';
import type { UnavailableReason } from '../../../shared/domain/workspaces/workspace.ts';
import { type Config, configUrl } from '../config.ts';
import { faultOfEmbed } from '../developer.ts';
import type { Memory } from './memory.ts';
import type { Request } from './request.ts';

type CallAcceptance = z.infer<typeof CallRequestResponse>['data'];
/** The status of the visitor's call. The response to the request for a call has only the fields of `CallAcceptance`. */
export type CallRequest = CallAcceptance & Partial<z.infer<typeof CallRequestStatusResponse>['data']>;
export type Lead = z.infer<typeof LeadCreatedResponse>['data'];

export type Refusal = {
	readonly data?: undefined;
	readonly secret?: string;
	/**
	 * `request_header` is not a code of the API. The widget uses it if it finds out that a tool of the page adds a header to
	 * requests.
	 */
	readonly code: ProblemCode | 'request_header';
	readonly reason?: UnavailableReason;
	readonly next_open_at?: string;
	readonly errors?: readonly FieldError[];
};
/** `secret`: with it, the page can cancel the call that was requested. */
export type ApiResponse<T> = { readonly data: T; readonly code?: undefined; readonly secret?: string } | Refusal;

/** A random id. `crypto.randomUUID` is not used, because it does not exist if the page came over plain http. */
const randomId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** Thrown if something other than the API has answered at the address of the API. */
export class OtherAnswer extends Error {}

/**
 * The routes for the widget, relative to `baseUrl`, which ends in /v1. `language` is the language of the texts that the
 * visitor reads.
 */
export function widgetApi(
	baseUrl: string,
	workspaceKey: string,
	language: string,
	{ request, memory: { key } }: { readonly request: Request; readonly memory: Memory },
) {
	const configAt = configUrl(baseUrl, workspaceKey, language);

	/**
	 * Sends one request. Throws if a retry makes sense: no network, a refused origin (browsers do not distinguish the two), a
	 * response that is not JSON, or a temporary refusal. A limit that is used up counts as temporary only for requests that
	 * change nothing.
	 */
	async function ask<T>(url: string, init: RequestInit): Promise<ApiResponse<T>> {
		const response = await request(url, init);
		const { status, headers } = response;
		const body: ApiResponse<T> | null = await response.json().catch(() => null);
		// Another server has answered, or something in front of the API.
		if (!body?.data && !body?.code) {
			const answer = `it answers ${status} ${headers.get('content-type')}`;
			throw status > 499 ? new Error(answer) : new OtherAnswer(answer);
		}
		const passes = status > 499 || (status === 429 && !init.body) || body.code === 'idempotency_conflict';
		if (!passes || body.code === 'calls_unavailable') return { ...body, secret: headers.get('cancel-secret') ?? '' };
		throw new Error(body.code, { cause: Number(headers.get('retry-after')) * 1000 });
	}

	function post<T>(path: string, wish: unknown, signal: AbortSignal, more = {}): Promise<ApiResponse<T>> {
		const headers = { 'content-type': 'application/json', ...more };
		return ask<T>(`${baseUrl}/widget/${path}`, { method: 'POST', body: JSON.stringify(wish), headers, signal });
	}

	return {
		baseUrl,
		fault: faultOfEmbed(baseUrl, workspaceKey),
		/** `fresh`: ignores the browser's cache. */
		config: (signal: AbortSignal, fresh = false) =>
			ask<Config>(configAt, { signal, cache: fresh ? 'reload' : 'default' }),
		status: (id: string, signal: AbortSignal) =>
			ask<CallRequest>(`${baseUrl}/widget/call-requests/${id}/status`, { signal }),
		/** Ends the visitor's own call, unless it is connected by now. */
		cancel: (id: string, cancel_secret: string, signal: AbortSignal) =>
			post<CallRequest>(`call-requests/${id}/cancel`, { cancel_secret }, signal),
		/**
		 * A browser hides responses if the origin is refused. But a `no-cors` request still shows that there was a response.
		 */
		isReachable: () => request(configAt, { mode: 'no-cors' }).then(Boolean, () => false),
		/**
		 * Whether the service allows the page's origin. This uses a preload, because a preload has no header that a tool of the
		 * page has added to `fetch`. The preload has an address of its own, because the browser would use its result for the
		 * next request to the same address. Firefox fires `load` even for a refused preload, but then reports 0 as the status
		 * of the response.
		 */
		isAllowed: () =>
			new Promise<boolean>((resolve) => {
				const link = document.createElement('link');
				const href = `${configAt}&preload`;
				const statuses = () =>
					performance.getEntriesByName(link.href).map((entry) => 'responseStatus' in entry && entry.responseStatus);
				link.onload = () => resolve(statuses().at(-1) !== 0);
				link.onerror = () => resolve(false);
				document.head.append(Object.assign(link, { rel: 'preload', as: 'fetch', crossOrigin: '', href }));
			}),
		/**
		 * Sends a request that creates something. The Idempotency-Key is kept until the request is answered, even after a reload,
		 * so that sending the request again creates only one call. If the service says that the key belongs to another request,
		 * the request gets a new key.
		 */
		async create(
			path: 'call-requests' | 'callback-leads',
			wish: WidgetLeadRequest,
			signal: AbortSignal,
		): Promise<ApiResponse<CallRequest | Lead>> {
			const { id } = key.read() ?? { id: randomId() };
			key.write({ id });
			const result = await post<CallRequest | Lead>(path, wish, signal, { 'idempotency-key': id });
			key.write(null);
			return result.code === 'idempotency_key_reused' ? this.create(path, wish, signal) : result;
		},
	};
}
export type Api = ReturnType<typeof widgetApi>;
