import type * as z from 'zod/mini';
import type { Permission } from '../domain/access/permission.ts';
import { Nothing } from './kernel/common.ts';
import type { ProblemCode } from './kernel/problem.ts';

/** The beginning of every path in a request. The paths of routes leave this beginning out. */
export const VERSION_PREFIX = '/v1';

/**
 * Who uses a route, and how their requests are authenticated. `server`: a secret API key. `widget`: the Origin header and
 * the public workspace key. `provider`: the signature of a telephony provider. `team`: the one-time token in a link that we
 * sent to the team; these routes have pages and forms instead of JSON. `desk`: a session that began with a mailed link;
 * these routes have pages and forms, too. `public`: no authentication.
 */
export type Surface = 'server' | 'widget' | 'provider' | 'team' | 'desk' | 'public';

/** Dates are `YYYY-MM-DD` and mean midnight UTC. docs/versioning.md says how long a deprecation lasts. */
export type Deprecation = {
	readonly since: string;
	/** The first day on which the operation may stop working. */
	readonly sunset: string;
	/** The URL that replaces the operation. The URL is absolute, or begins at the root of the host, such as `/v2/calls`. */
	readonly successor: string;
};

/**
 * One row of the table of routes. The gateway, the HTTP layer, the roles, OpenAPI and the tests are made from this table.
 */
export type Route = {
	/** The name of the operation. Its file in functions/api has the same name. */
	readonly operation: string;
	readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Without `VERSION_PREFIX`. */
	readonly path: string;
	readonly summary: string;
	readonly surface: Surface;
	/** Server routes must have a permission. On all other routes, the permission is null. */
	readonly permission: Permission | null;
	readonly idempotent: boolean;
	/** GET returns the resource with an ETag. PATCH and DELETE obey If-Match. */
	readonly conditional?: true;
	readonly deprecated?: Deprecation;
	/** The route keeps its function busy for seconds, so it has a lower rate limit than other routes. */
	readonly slow?: true;
	/**
	 * The HTTP layer logs only the refusals of this route. This is for routes that pages poll all the time, and for routes
	 * whose use case logs every request.
	 */
	readonly quiet?: true;
	/** The page has a form that is sent to the page's own address, so the function also answers POST. */
	readonly form?: true;
	readonly success: 200 | 201 | 202 | 204 | 303;
	readonly params: z.ZodMiniType;
	readonly query: z.ZodMiniType;
	readonly body: z.ZodMiniType;
	readonly response: z.ZodMiniType;
	/** Error codes that the route has in addition to the codes of all routes of its surface. */
	readonly refusals: readonly ProblemCode[];
};

/**
 * The defaults of a row. A row without a surface is for servers, because routes for servers have the strictest
 * authentication.
 */
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

/** A row of the table. A route for servers names its permission, and other routes have no permission. */
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

/** Makes a row of the table with its defaults. A function's bundle leaves out the rows that the function does not use. */
export function route<const O extends string, const R extends RouteProps>(
	operation: O,
	method: Route['method'],
	path: string,
	row: R,
): WithDefaults<R> & Pick<Route, Head> & { readonly operation: O };
export function route(operation: string, method: Route['method'], path: string, row: RouteProps): Route {
	return { ...DEFAULTS, operation, method, path, ...row };
}

/**
 * The methods that a route answers. A GET also answers HEAD (RFC 9110 section 9.3.2) and, if its page has a form, the POST
 * of the form.
 */
export function methodsOfRoute({
	method,
	form,
}: Pick<Route, 'method' | 'form'>): readonly (Route['method'] | 'HEAD')[] {
	if (method !== 'GET') return [method];
	return form ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'];
}
