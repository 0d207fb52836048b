import type * as z from 'zod/mini';
import type { Permission } from '../domain/access/permission.ts';
import { Nothing } from './kernel/common.ts';
import type { ProblemCode } from './kernel/problem.ts';

/** The prefix of every path on the wire; route paths leave it out. */
export const VERSION_PREFIX = '/v1';

/**
 * `server`: secret API key. `widget`: Origin header and public workspace key. `provider`: a telephony provider's signature.
 * `team`: the one-time token of a link that we sent to the team; pages and forms instead of JSON. `desk`: also pages; a
 * session that began with a mailed link. `public`: no credential.
 */
export type Surface = 'server' | 'widget' | 'provider' | 'team' | 'desk' | 'public';

/** Dates as `YYYY-MM-DD`, midnight UTC; docs/versioning.md says how long a deprecation lasts. */
export type Deprecation = {
	readonly since: string;
	/** The first day on which the operation may no longer answer. */
	readonly sunset: string;
	/** The URL that replaces it, absolute or from the host's root, such as `/v2/calls`. */
	readonly successor: string;
};

/** One row of the route table, which the gateway, the edge, the roles, OpenAPI and the tests are built from. */
export type Route = {
	/** The name of the operation, and of its file in functions/api. */
	readonly operation: string;
	readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Below `VERSION_PREFIX`. */
	readonly path: string;
	readonly summary: string;
	readonly surface: Surface;
	/** Required on server routes, null on all others. */
	readonly permission: Permission | null;
	readonly idempotent: boolean;
	/** Returns one resource with an ETag; a PATCH or DELETE honours If-Match. */
	readonly conditional?: true;
	readonly deprecated?: Deprecation;
	/** Keeps its function busy for seconds, so it has its own low limit. */
	readonly slow?: true;
	/** Logs only refusals: pages poll it constantly, or its use case logs every request. */
	readonly quiet?: true;
	/** A page whose form posts to the page's own address, so the function also answers POST. */
	readonly form?: true;
	readonly success: 200 | 201 | 202 | 204 | 303;
	readonly params: z.ZodMiniType;
	readonly query: z.ZodMiniType;
	readonly body: z.ZodMiniType;
	readonly response: z.ZodMiniType;
	/** Error codes besides those of every route of its kind. */
	readonly refusals: readonly ProblemCode[];
};

/** The defaults of a row. Without a surface, a row is for servers, which require the most. */
const DEFAULTS = {
	surface: 'server',
	permission: null,
	idempotent: false,
	success: 200,
	params: Nothing,
	query: Nothing,
	body: Nothing,
	refusals: [],
} as const satisfies Partial<Route>;
type Defaults = typeof DEFAULTS;

/** A row as the table has it: a server route names its permission, other routes have none. */
type RouteProps = Omit<Route, keyof Defaults | Head> &
	Partial<Pick<Route, Exclude<keyof Defaults, 'surface' | 'permission'>>> &
	(
		| { readonly surface?: 'server'; readonly permission: Permission }
		| { readonly surface: Exclude<Surface, 'server'>; readonly permission?: null }
	);
type Head = 'operation' | 'method' | 'path';
type WithDefaults<R> = {
	readonly [K in keyof R | keyof Defaults]: K extends keyof R ? R[K] : K extends keyof Defaults ? Defaults[K] : never;
};

/** Fills in a row of the route table. A bundle leaves out the rows that its function does not use. */
export function route<const O extends string, const R extends RouteProps>(
	operation: O,
	method: Route['method'],
	path: string,
	row: R,
): WithDefaults<R> & Pick<Route, Head> & { readonly operation: O };
export function route(operation: string, method: Route['method'], path: string, row: RouteProps): Route {
	return { ...DEFAULTS, operation, method, path, ...row };
}

/** The methods of a route on the wire: HEAD in addition to every GET (RFC 9110 section 9.3.2), and those of its form. */
export function methodsOfRoute({
	method,
	form,
}: Pick<Route, 'method' | 'form'>): readonly (Route['method'] | 'HEAD')[] {
	if (method !== 'GET') return [method];
	return form ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
}
