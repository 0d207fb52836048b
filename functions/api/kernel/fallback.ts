import { methodsOf } from '../../../shared/contract/route-match.ts';
import { log } from '../../../shared/deps.ts';
import { Refused } from '../../../shared/http/exchange.ts';
import { handleForAnyone } from '../../../shared/http/handle.ts';
import { NOT_FOUND } from '../../../shared/http/refusals.ts';

/** Whatever no route took: an unknown path (404), or a known one with another method (405 with Allow). */
export const handler = handleForAnyone('fallback', log('fallback'), async (request) => {
	const methods = methodsOf(request.path);
	if (methods.length === 0) throw new Refused(NOT_FOUND);
	const allow = methods.join(', ');
	const detail = `This path takes ${allow}.`;
	throw new Refused({ code: 'method_not_allowed', detail, headers: { allow } });
});
