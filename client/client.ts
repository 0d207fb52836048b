import {
	type CallbackLead,
	type Filters,
	type ItemOf,
	operations,
	type Page,
	type PagedOperation,
	type WebhookEndpoint,
} from './operations.ts';
import { type ApiRequest, type CallOptions, type ClientOptions, type Send, transport } from './transport.ts';
import type { Answer, Body, Operation } from './wire.ts';

/** The API's maximum page size. */
const LARGEST_PAGE = 100;

/** Options for a single call that changes something. */
export type ChangeOptions = CallOptions & {
	/**
	 * Identifies the change: within 24 hours, repeated requests with the same key make it once. By default the client creates
	 * a key for each call and reuses it in its own retries.
	 */
	readonly idempotency_key?: string;
};

/** Options for a change of one resource. */
export type UpdateOptions<Resource extends object> = ChangeOptions & {
	/**
	 * The resource as you read it. If it has changed since, the API refuses with `precondition_failed` (412), so that two
	 * editors do not overwrite each other. Without it the API always makes the change.
	 */
	readonly if_unchanged?: Resource;
};

type Asked = ChangeOptions & {
	readonly if_unchanged?: object;
	readonly id?: string;
	readonly body?: unknown;
	readonly query?: object;
};

/** Query parameters in the API's format: several statuses separated by commas, dates in RFC 3339. */
function queryString(query: object): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value === undefined) continue;
		search.append(name, value instanceof Date ? value.toISOString() : String(value));
	}
	return search.size === 0 ? '' : `?${search}`;
}

function pathOf(template: string, id: string | undefined): string {
	// An empty id would address the list.
	if (template.includes('{id}') && !id) throw new TypeError('an id is needed');
	return template.replace('{id}', encodeURIComponent(id ?? ''));
}

function requestFor(operation: Operation, { id, query = {}, idempotency_key, ...rest }: Asked): ApiRequest {
	const { method, path, idempotent } = operations[operation];
	const target = `${pathOf(path, id)}${queryString(query)}`;
	const keyed = idempotent ? { idempotency_key: idempotency_key ?? crypto.randomUUID() } : {};
	return { method, path: target, ...keyed, ...rest };
}

/** The result of each operation: its resource, without the envelope. */
type Resource<O extends Operation> = Answer<O> extends { readonly data: infer T } ? T : never;

function operationsOver(send: Send) {
	async function one<O extends Operation>(operation: O, asked: Asked): Promise<Resource<O>> {
		const { data } = await send<{ readonly data: Resource<O> }>(requestFor(operation, asked));
		return data;
	}
	/** `list` returns one page; `all` iterates from the newest item to the oldest and fetches pages as needed. */
	function pages<O extends PagedOperation>(operation: O) {
		const list = (query: Filters<O> = {}, call: CallOptions = {}): Promise<Page<ItemOf<O>>> =>
			send(requestFor(operation, { query, ...call }));
		async function* all(query: Filters<O> = {}, call: CallOptions = {}): AsyncGenerator<ItemOf<O>, void> {
			let more: Filters<O> | null = { limit: LARGEST_PAGE, ...query };
			while (more !== null) {
				const page: Page<ItemOf<O>> = await list(more, call);
				yield* page.data;
				more = page.next_cursor === null ? null : { ...more, cursor: page.next_cursor };
			}
		}
		return { list, all };
	}
	return { one, pages };
}

/**
 * Creates a client with one method for each operation of the server API. Methods return the resource itself; lists return
 * a page. They throw `ApiError` if the API refuses, and `NoAnswerError` if no response arrives (client/errors.ts).
 *
 * The client retries requests that were not processed or are safe to repeat, up to `max_retries` times: after 429 and 503
 * when Retry-After says (up to 30 s), otherwise with growing waits.
 */
export function callBackClient(options: ClientOptions) {
	const send = transport(options);
	const { one, pages } = operationsOver(send);
	return {
		calls: {
			...pages('list-calls'),
			get: (id: string, call?: CallOptions) => one('get-call', { id, ...call }),
			/** Cancels a call. A call that has already ended is refused with `call_already_terminal`. */
			cancel: (id: string, call?: ChangeOptions) => one('cancel-call', { id, ...call }),
		},
		callbackLeads: {
			...pages('list-callback-leads'),
			get: (id: string, call?: CallOptions) => one('get-callback-lead', { id, ...call }),
			update: (id: string, body: Body<'update-callback-lead'>, call?: UpdateOptions<CallbackLead>) =>
				one('update-callback-lead', { id, body, ...call }),
		},
		webhookEndpoints: {
			/** Returns the signing secret. Store it: no other response contains it. */
			create: (body: Body<'create-webhook-endpoint'>, call?: ChangeOptions) =>
				one('create-webhook-endpoint', { body, ...call }),
			/** Returns all endpoints: a workspace has at most 20. */
			list: (call?: CallOptions) => one('list-webhook-endpoints', { ...call }),
			get: (id: string, call?: CallOptions) => one('get-webhook-endpoint', { id, ...call }),
			change: (id: string, body: Body<'change-webhook-endpoint'>, call?: UpdateOptions<WebhookEndpoint>) =>
				one('change-webhook-endpoint', { id, body, ...call }),
			delete: async (id: string, call?: CallOptions) =>
				send<null>(requestFor('delete-webhook-endpoint', { id, ...call })),
			/** Returns the new secret. Older ones also sign for `overlap_seconds` (default: a day). */
			rotateSecret: (id: string, body: Body<'rotate-webhook-secret'> = {}, call?: ChangeOptions) =>
				one('rotate-webhook-secret', { id, body, ...call }),
			/** Sends a signed sample now and returns the result. */
			test: (id: string, body: Body<'test-webhook-endpoint'> = {}, call?: CallOptions) =>
				one('test-webhook-endpoint', { id, body, ...call }),
			/**
			 * Redelivers what failed since a time; with `dry_run` it only counts. It requests one part after the other and returns
			 * their sum. If it throws, call it again: what was sent meanwhile is not sent twice.
			 */
			recover: async (id: string, body: Body<'recover-webhook-endpoint'>, call?: CallOptions) => {
				const part = (cursor?: string) =>
					one('recover-webhook-endpoint', { id, body: cursor === undefined ? body : { ...body, cursor }, ...call });
				let all = await part();
				while (all.next_cursor) {
					const { matched, queued, next_cursor } = await part(all.next_cursor);
					all = { ...all, matched: all.matched + matched, queued: all.queued + queued, next_cursor };
				}
				return all;
			},
		},
		webhookDeliveries: {
			...pages('list-webhook-deliveries'),
			/** Returns the delivery with its attempts. */
			get: (id: string, call?: CallOptions) => one('get-webhook-delivery', { id, ...call }),
			/** Delivers the event again: the same event id with a new signature. */
			retry: (id: string, call?: ChangeOptions) => one('retry-webhook-delivery', { id, ...call }),
		},
	};
}
