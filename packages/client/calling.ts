import { operations } from './operation-table.ts';
import type { Filters, ItemOf, Page, PagedOperation } from './operations.ts';
import type { ApiRequest, CallOptions, Send } from './transport.ts';
import type { Body, Operation, ResponseBody } from './wire.ts';

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
export type UpdateOptions<Resource> = ChangeOptions & {
	/**
	 * The resource as you read it. If it has changed since, the API refuses with `precondition_failed` (412), so that two
	 * editors do not overwrite each other. Without it the API always makes the change.
	 */
	readonly if_unchanged?: Resource & object;
};

/** Only operations that take an Idempotency-Key have an option for it. */
type OptionsOf<O extends Operation> = (typeof operations)[O]['idempotent'] extends true ? ChangeOptions : CallOptions;
/** The result of a method: the response without its envelope. */
type Resource<O extends Operation> = ResponseBody<O> extends { readonly data: infer T } ? T : never;

type RequestInput = ChangeOptions & {
	readonly if_unchanged?: object;
	readonly id?: string;
	readonly body?: unknown;
	readonly query?: object;
};

/**
 * Formats query parameters for the API: several statuses with commas between, dates in RFC 3339. Leaves out null, such as
 * the cursor of a last page.
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
	// An empty id would address the list.
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

/** The kinds of methods. Each kind fits every operation that takes its parameters. */
export function callsOver(send: Send) {
	async function ask<O extends Operation>(operation: O, input: RequestInput): Promise<Resource<O>> {
		const { data } = await send<{ readonly data: Resource<O> }>(requestFor(operation, input));
		return data;
	}
	/**
	 * `list` returns one page. `all` iterates from the newest item to the oldest and fetches pages as needed; with `order:
	 * 'asc'`, from the oldest item to the newest.
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
		/** A list that is always one page. */
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
		/** All members of the body are optional. */
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
