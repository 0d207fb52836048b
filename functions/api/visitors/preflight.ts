import { edgeDeps } from '../../../shared/deps.ts';
import { preflightHeaders, presentedOrigin } from '../../../shared/http/cors.ts';
import { edge } from '../../../shared/http/edge.ts';
import { problemResponse } from '../../../shared/http/response.ts';
import { originRefused } from '../../../shared/http/visitor.ts';

const { store, log } = edgeDeps('preflight');

/** A preflight carries no workspace key: it is answered from "does any workspace allow this origin". */
export const handler = edge('preflight', log, async (request) => {
	const origin = presentedOrigin(request.headers['origin']);
	if (origin !== null && (await store.anyWorkspaceAllows(origin))) {
		return { statusCode: 204, headers: preflightHeaders(origin) };
	}
	const { problem, headers } = originRefused();
	return problemResponse({ ...problem, headers }, request);
});
