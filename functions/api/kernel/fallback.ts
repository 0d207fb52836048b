import { methodsOf } from '../../../shared/contract/route-match.ts';
import { log } from '../../../shared/deps.ts';
import { edge } from '../../../shared/http/edge.ts';
import { NOT_FOUND } from '../../../shared/http/refusals.ts';
import { problemResponse } from '../../../shared/http/response.ts';

/** Whatever no route took: an unknown path (404), or a known one with another method (405 with Allow). */
export const handler = edge('fallback', log('fallback'), async (request) => {
	const methods = methodsOf(request.path);
	if (methods.length === 0) return problemResponse(NOT_FOUND, request);
	const allow = methods.join(', ');
	const detail = `This path takes ${allow}.`;
	return problemResponse({ code: 'method_not_allowed', detail, headers: { allow } }, request);
});
