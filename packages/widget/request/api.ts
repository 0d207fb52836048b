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
/** The status of the visitor's call; the response to the request has only the first three members. */
export type CallRequest = CallAcceptance & Partial<z.infer<typeof CallRequestStatusResponse>['data']>;
export type Lead = z.infer<typeof LeadCreatedResponse>['data'];

export type Refusal = {
	readonly data?: undefined;
	readonly secret?: string;
	/** `request_header`: found by the widget's own diagnosis. */
	readonly code: ProblemCode | 'request_header';
	readonly reason?: UnavailableReason;
	readonly next_open_at?: string;
	readonly errors?: readonly FieldError[];
};
/** `secret`: cancels the requested call. */
export type ApiResponse<T> = { readonly data: T; readonly code?: undefined; readonly secret?: string } | Refusal;

/** Random in every page: `crypto.randomUUID` is missing where the page came over plain http. */
const randomId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** The address of the API belongs to something else: the API never sends such a response. */
export class OtherAnswer extends Error {}

/** The widget's routes below `baseUrl`, which ends in /v1. `language`: of the texts that the visitor reads. */
export function widgetApi(
	baseUrl: string,
	workspaceKey: string,
	language: string,
	{ request, memory: { key } }: { readonly request: Request; readonly memory: Memory },
) {
	const configAt = configUrl(baseUrl, workspaceKey, language);

	/**
	 * Sends one request. Throws if a retry makes sense: no network, a refused origin (browsers do not distinguish the two), a
	 * response that is not JSON, or a temporary refusal. An exhausted limit counts as temporary only for reads.
	 */
	async function ask<T>(url: string, init: RequestInit): Promise<ApiResponse<T>> {
		const response = await request(url, init);
		const { status, headers } = response;
		const body: ApiResponse<T> | null = await response.json().catch(() => null);
		// Another server answers, or something in front of the API.
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
		/** A browser hides responses from a refused origin, but a `no-cors` request still shows that there was one. */
		isReachable: () => request(configAt, { mode: 'no-cors' }).then(Boolean, () => false),
		/**
		 * Whether the service allows the page's origin: a preload has no header that a tool of the page added to `fetch`. Its
		 * address is its own, because the browser answers the next request for a preloaded one with the preload's result.
		 * Firefox fires `load` for a refused one, too, but then it names no status.
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
		 * A request keeps its key until it is answered, also after a reload, so that repeated sending creates one call. The service
		 * refuses the key of another request, which then gets its own.
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
