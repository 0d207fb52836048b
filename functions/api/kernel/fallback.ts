import { methodsOf } from '../../../shared/contract/route-match.ts';
import { publicDeps } from '../../../shared/deps.ts';
import { wayToDesk } from '../../../shared/http/desk/way-to-desk.ts';
import { handleForAnyone } from '../../../shared/http/edge/handle.ts';
import { NOT_FOUND, Refused } from '../../../shared/http/edge/refusals.ts';
import { seeOther } from '../../../shared/http/edge/response.ts';

/**
 * Answers requests that no route matches: 404 for an unknown path, 405 with Allow for another method. If a person opens an
 * unknown address below /v1/desk, the response redirects to the desk.
 */
export const handler = handleForAnyone('fallback', publicDeps('fallback'), async (request) => {
	const methods = methodsOf(request.path);
	const desk = methods.length === 0 ? wayToDesk(request) : null;
	if (desk !== null) return seeOther(desk);
	if (methods.length === 0) throw new Refused(NOT_FOUND);
	const allow = methods.join(', ');
	const detail = `This path takes ${allow}.`;
	throw new Refused({ code: 'method_not_allowed', detail, headers: { allow } });
});
