import type { EventKind, Operation, Query, ResponseBody } from './wire.ts';

export type Call = ResponseBody<'get-call'>['data'];
export type CallbackLead = ResponseBody<'get-callback-lead'>['data'];
export type WebhookEndpoint = ResponseBody<'get-webhook-endpoint'>['data'];
export type WebhookEndpointWithSecret = ResponseBody<'create-webhook-endpoint'>['data'];
export type WebhookDelivery = ResponseBody<'retry-webhook-delivery'>['data'];
export type WebhookDeliveryDetail = ResponseBody<'get-webhook-delivery'>['data'];
export type WebhookEvent = ResponseBody<'get-event'>['data'];
export type Attempt = ResponseBody<'test-webhook-endpoint'>['data'];
export type Recovery = ResponseBody<'recover-webhook-endpoint'>['data'];

type HasCursor<Q> = string extends keyof Q ? false : 'cursor' extends keyof Q ? true : false;
/** The operations that return a list in pages. */
export type PagedOperation = { [O in Operation]: HasCursor<Query<O>> extends true ? O : never }[Operation];
/** One page. The newest item comes first, unless another order was requested. */
export type Page<T> = { readonly data: readonly T[]; readonly has_more: boolean; readonly next_cursor: string | null };
export type ItemOf<O extends PagedOperation> =
	ResponseBody<O> extends { readonly data: readonly (infer T)[] } ? T : never;
/** The type of the `event` filter. Deliveries can be filtered by only one event type. */
type EventOf<O extends PagedOperation> = O extends 'list-events' ? EventKind | readonly EventKind[] : EventKind;
type StatusOf<O extends PagedOperation> = ItemOf<O> extends { readonly status: infer S extends string } ? S : never;

/**
 * The filters of a list: the query parameters of its route. `status` may be one or several values. `event` may be several
 * values only in the list of events (`list-events`). `from` (inclusive) and `to` (exclusive) apply to `created_at`. `limit` is the number of items on a page, from 1
 * to 100.
 */
export type Filters<O extends PagedOperation> = {
	readonly [K in keyof Query<O>]?: K extends 'status'
		? StatusOf<O> | readonly StatusOf<O>[] | undefined
		: K extends 'event'
			? EventOf<O> | undefined
			: K extends 'from' | 'to'
				? string | Date | undefined
				: K extends 'limit'
					? number | undefined
					: Query<O>[K];
};
