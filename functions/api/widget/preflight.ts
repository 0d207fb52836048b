import { edgeDeps } from '../../../shared/deps.ts';
import { preflightHeaders, presentedOrigin, VARY } from '../../../shared/http/edge/cors.ts';
import { handleForAnyone } from '../../../shared/http/edge/handle.ts';
import { noOrigin, ORIGIN_NOT_ALLOWED, Refused } from '../../../shared/http/edge/refusals.ts';

const deps = edgeDeps('preflight');

/**
 * Answers a preflight. A preflight has no workspace key, so the answer depends on whether any workspace allows the origin.
 */
export const handler = handleForAnyone('preflight', deps, async (request) => {
	const origin = presentedOrigin(request.headers['origin']);
	if (origin !== null && (await deps.store.anyWorkspaceAllows(origin))) {
		const requested = request.headers['access-control-request-headers'];
		return { statusCode: 204, headers: preflightHeaders(origin, requested) };
	}
	const problem = origin === null ? noOrigin(request.headers['origin']) : ORIGIN_NOT_ALLOWED;
	throw new Refused({ ...problem, headers: VARY });
});
