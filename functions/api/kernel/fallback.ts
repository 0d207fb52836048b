import { methodsOf } from '../../../shared/contract/route-match.ts';
import { publicDeps } from '../../../shared/deps.ts';
import { handleForAnyone } from '../../../shared/http/handle.ts';
import { NOT_FOUND, Refused } from '../../../shared/http/refusals.ts';

/** Answers requests that no route matches: 404 for an unknown path, 405 with Allow for another method. */
export const handler = handleForAnyone('fallback', publicDeps('fallback'), async (request) => {
	const methods = methodsOf(request.path);
	if (methods.length === 0) throw new Refused(NOT_FOUND);
	const allow = methods.join(', ');
	const detail = `This path takes ${allow}.`;
	throw new Refused({ code: 'method_not_allowed', detail, headers: { allow } });
});
