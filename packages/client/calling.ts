import { operations } from './operation-table.ts';
import type { Filters, ItemOf, Page, PagedOperation } from './operations.ts';
import type { ApiRequest, CallOptions, Send } from './transport.ts';
import type { Body, Operation, ResponseBody } from './wire.ts';

/** The largest page that the API returns. */
const LARGEST_PAGE = 100;

/** Options for one call of a method that changes something. */
export type ChangeOptions = CallOptions & {
	/**
	 * Identifies the change: if requests with the same key are repeated within 24 hours, the change is made once. By default,
	 * the client creates a key for each call of a method, and uses the same key for its own retries.
	 */
	readonly idempotency_key?: string;
};

/** Options for a method that changes one resource. */
export type UpdateOptions<Resource> = ChangeOptions & {
	/**
	 * The resource as you read it. If it has changed since you read it, the API refuses with `precondition_failed` (412), so that
	 * two editors do not overwrite each other. Without this option, the API always makes the change.
	 */
	readonly if_unchanged?: Resource & object;
};

/** The options of an operation. Only operations that accept an Idempotency-Key have an option for it. */
type OptionsOf<O extends Operation> = (typeof operations)[O]['idempotent'] extends true ? ChangeOptions : CallOptions;
/** What a method returns: the content of the response, without its envelope. */
type Resource<O extends Operation> = ResponseBody<O> extends { readonly data: infer T } ? T : never;

type RequestInput = ChangeOptions & {
	readonly if_unchanged?: object;
	readonly id?: string;
	readonly body?: unknown;
	readonly query?: object;
};

/**
 * Writes query parameters for the API: several statuses are separated by commas, and dates are in RFC 3339. A parameter that is
 * null is left out. So a caller may pass on any `next_cursor`, even the null of a list's final page.
 */
function queryString(query: object): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		if (value === undefined || value === null) continue;
		search.append(name, value instanceof Date ? value.toISOString() : String(value));
	}
	return search.size === 0 ? '' : `?${search}`;
}

function pathOf(template: string, id: string | undefined): string {
	// With an empty id, the address would be that of the list.
	if (template.includes('{id}') && !id) throw new TypeError('an id is needed');
	return template.replace('{id}', encodeURIComponent(id ?? ''));
}

function requestFor(operation: Operation, { id, query = {}, idempotency_key, ...rest }: RequestInput): ApiRequest {
	const { method, path, idempotent } = operations[operation];
	const target = `${pathOf(path, id)}${queryString(query)}`;
	const keyHeader = idempotent ? { idempotency_key: idempotency_key ?? crypto.randomUUID() } : {};
	return { method, path: target, ...keyHeader, ...rest };
}

export type Calls = ReturnType<typeof callsOver>;

/**
 * The functions that make the client's methods. Each function makes a method for one operation, and serves all operations whose
 * methods have the same parameters.
 */
export function callsOver(send: Send) {
	async function ask<O extends Operation>(operation: O, input: RequestInput): Promise<Resource<O>> {
		const { data } = await send<{ readonly data: Resource<O> }>(requestFor(operation, input));
		return data;
	}
	/**
	 * `list` returns one page. `all` iterates over all items, from the newest to the oldest, and gets further pages as
	 * needed. With `order: 'asc'`, it begins with the oldest.
	 */
	function pages<O extends PagedOperation>(operation: O) {
		const list = (query: Filters<O> = {}, call: CallOptions = {}): Promise<Page<ItemOf<O>>> =>
			send(requestFor(operation, { query, ...call }));
		async function* all(query: Filters<O> = {}, call: CallOptions = {}): AsyncGenerator<ItemOf<O>, void> {
			let more: Filters<O> | null = { limit: LARGEST_PAGE, ...query };
			while (more !== null) {
				const page: Page<ItemOf<O>> = await list(more, call);
				yield* page.data;
				more = page.has_more ? { ...more, cursor: page.next_cursor } : null;
			}
		}
		return { list, all };
	}
	return {
		pages,
		/** For a list that always has one page. */
		list:
			<O extends Operation>(operation: O) =>
			(call?: CallOptions) =>
				ask(operation, { ...call }),
		create:
			<O extends Operation>(operation: O) =>
			(body: Body<O>, call?: OptionsOf<O>) =>
				ask(operation, { body, ...call }),
		one:
			<O extends Operation>(operation: O) =>
			(id: string, call?: OptionsOf<O>) =>
				ask(operation, { id, ...call }),
		oneWith:
			<O extends Operation>(operation: O) =>
			(id: string, body: Body<O>, call?: OptionsOf<O>) =>
				ask(operation, { id, body, ...call }),
		/** For a body whose fields are all optional. */
		oneWithOptions:
			<O extends Operation>(operation: O) =>
			(id: string, body?: Body<O>, call?: OptionsOf<O>) =>
				ask(operation, { id, body: body ?? {}, ...call }),
		update:
			<O extends Operation>(operation: O) =>
			(id: string, body: Body<O>, call?: UpdateOptions<Resource<O>>) =>
				ask(operation, { id, body, ...call }),
		remove:
			(operation: Operation) =>
			async (id: string, call?: CallOptions): Promise<null> =>
				send<null>(requestFor(operation, { id, ...call })),
	};
}
