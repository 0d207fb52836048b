import { edgeDeps } from '../../../shared/deps.ts';
import { preflightHeaders, presentedOrigin, VARY } from '../../../shared/http/edge/cors.ts';
import { handleForAnyone } from '../../../shared/http/edge/handle.ts';
import { noOrigin, ORIGIN_NOT_ALLOWED, Refused } from '../../../shared/http/edge/refusals.ts';

const deps = edgeDeps('preflight');

/** A preflight carries no workspace key: it is answered from "does any workspace allow this origin". */
export const handler = handleForAnyone('preflight', deps, async (request) => {
	const origin = presentedOrigin(request.headers['origin']);
	if (origin !== null && (await deps.store.anyWorkspaceAllows(origin))) {
		const requested = request.headers['access-control-request-headers'];
		return { statusCode: 204, headers: preflightHeaders(origin, requested) };
	}
	const problem = origin === null ? noOrigin(request.headers['origin']) : ORIGIN_NOT_ALLOWED;
	throw new Refused({ ...problem, headers: VARY });
});
