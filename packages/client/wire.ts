import type * as z from 'zod/mini';
import type { routes } from '../../shared/contract/routes.ts';

// The types of requests and responses, derived from the table of routes. `npm run pack` replaces this file with one that is
// generated from the OpenAPI document, so that the package does not depend on the service.

export type { FieldError, ProblemCode } from '../../shared/contract/kernel/problem.ts';
export type { EventKind } from '../../shared/domain/webhooks/event.ts';

type AnyRoute = (typeof routes)[number];
type RouteOf<O extends Operation> = Extract<AnyRoute, { readonly operation: O }>;

/** An operation of the server API, by its name in the table of routes. */
export type Operation = Extract<AnyRoute, { readonly surface: 'server' }>['operation'];
export type Body<O extends Operation> = z.input<RouteOf<O>['body']>;
export type Query<O extends Operation> = z.input<RouteOf<O>['query']>;
/** The JSON body of a successful response. */
export type ResponseBody<O extends Operation> = z.output<RouteOf<O>['response']>;
/** The method, the path and the idempotency of an operation. */
export type Row<O extends Operation> = Pick<RouteOf<O>, 'method' | 'path' | 'idempotent'>;
