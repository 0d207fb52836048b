import type { Answer, Operation, Query, Row } from './wire.ts';

/** Each operation, as in the server's route table. If this list and the route table differ, the code does not compile. */
export const operations = {
	'list-calls': { method: 'GET', path: '/calls', idempotent: false },
	'get-call': { method: 'GET', path: '/calls/{id}', idempotent: false },
	'cancel-call': { method: 'POST', path: '/calls/{id}/cancel', idempotent: true },
	'list-callback-leads': { method: 'GET', path: '/callback-leads', idempotent: false },
	'get-callback-lead': { method: 'GET', path: '/callback-leads/{id}', idempotent: false },
	'update-callback-lead': { method: 'PATCH', path: '/callback-leads/{id}', idempotent: true },
	'create-webhook-endpoint': { method: 'POST', path: '/webhook-endpoints', idempotent: true },
	'list-webhook-endpoints': { method: 'GET', path: '/webhook-endpoints', idempotent: false },
	'get-webhook-endpoint': { method: 'GET', path: '/webhook-endpoints/{id}', idempotent: false },
	'change-webhook-endpoint': { method: 'PATCH', path: '/webhook-endpoints/{id}', idempotent: true },
	'delete-webhook-endpoint': { method: 'DELETE', path: '/webhook-endpoints/{id}', idempotent: false },
	'rotate-webhook-secret': { method: 'POST', path: '/webhook-endpoints/{id}/rotate-secret', idempotent: true },
	'test-webhook-endpoint': { method: 'POST', path: '/webhook-endpoints/{id}/test', idempotent: false },
	'recover-webhook-endpoint': { method: 'POST', path: '/webhook-endpoints/{id}/recover', idempotent: false },
	'list-webhook-deliveries': { method: 'GET', path: '/webhook-deliveries', idempotent: false },
	'get-webhook-delivery': { method: 'GET', path: '/webhook-deliveries/{id}', idempotent: false },
	'retry-webhook-delivery': { method: 'POST', path: '/webhook-deliveries/{id}/retry', idempotent: true },
} as const satisfies { readonly [O in Operation]: Row<O> };

export type Call = Answer<'get-call'>['data'];
export type CallbackLead = Answer<'get-callback-lead'>['data'];
export type WebhookEndpoint = Answer<'get-webhook-endpoint'>['data'];
export type WebhookEndpointWithSecret = Answer<'create-webhook-endpoint'>['data'];
export type WebhookDelivery = Answer<'retry-webhook-delivery'>['data'];
export type WebhookDeliveryDetail = Answer<'get-webhook-delivery'>['data'];
export type Attempt = Answer<'test-webhook-endpoint'>['data'];
export type Recovery = Answer<'recover-webhook-endpoint'>['data'];

/** The lists with pages. */
export type PagedOperation = 'list-calls' | 'list-callback-leads' | 'list-webhook-deliveries';
/** One page, newest first. */
export type Page<T> = { readonly data: readonly T[]; readonly has_more: boolean; readonly next_cursor: string | null };
export type ItemOf<O extends PagedOperation> = Answer<O> extends { readonly data: readonly (infer T)[] } ? T : never;
type StatusOf<O extends PagedOperation> = ItemOf<O> extends { readonly status: infer S extends string } ? S : never;

/**
 * The filters of a list: the query parameters of its route. `status`: one or several. `from` inclusive, `to` exclusive,
 * on `created_at`. `limit`: items per page, 1 to 100.
 */
export type Filters<O extends PagedOperation> = {
	readonly [K in keyof Query<O>]?: K extends 'status'
		? StatusOf<O> | readonly StatusOf<O>[] | undefined
		: K extends 'from' | 'to'
			? string | Date | undefined
			: K extends 'limit'
				? number | undefined
				: Query<O>[K];
};
