import type * as z from 'zod/mini';
import type { Permission } from '../domain/workspaces/permission.ts';
import type { ProblemCode } from './kernel/problem.ts';

/** What every path on the wire begins with; routes are written below it. */
export const VERSION_PREFIX = '/v1';

/**
 * `server`: secret API key. `widget`: Origin header and public workspace key. `provider`: a telephony provider's
 * signature. `team`: the one-time token of a link that was sent to the team; pages and forms instead of JSON. `public`:
 * nothing.
 */
export type Surface = 'server' | 'widget' | 'provider' | 'team' | 'public';

/** One row of the route table: what the gateway, the edge, the roles, OpenAPI and the tests all follow. */
export type Route = {
	/** Also the name of its file in functions/api. */
	readonly operation: string;
	readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Below `VERSION_PREFIX`. */
	readonly path: string;
	readonly summary: string;
	readonly surface: Surface;
	/** Every server route names one: there is no route without. */
	readonly permission: Permission | null;
	readonly idempotent: boolean;
	/** Answers one resource under an ETag; a PATCH honours If-Match. */
	readonly conditional?: true;
	/** Keeps its function busy for seconds, so it has a limit of its own: few requests a minute. */
	readonly slow?: true;
	readonly success: 200 | 201 | 202 | 204;
	readonly params: z.ZodMiniType;
	readonly query: z.ZodMiniType;
	readonly body: z.ZodMiniType;
	readonly response: z.ZodMiniType;
	/** Error codes of its own, beyond those that follow from what kind of route it is. */
	readonly refusals: readonly ProblemCode[];
};

/** The methods that a route takes on the wire: HEAD wherever there is GET (RFC 9110 section 9.3.2). */
export function methodsOfRoute({ method }: Pick<Route, 'method'>): readonly (Route['method'] | 'HEAD')[] {
	return method === 'GET' ? ['GET', 'HEAD'] : [method];
}
