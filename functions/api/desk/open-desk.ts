import { openDesk as route } from '../../../shared/contract/desk/desk.ts';
import { edgeDeps, ids, macs } from '../../../shared/deps.ts';
import { sessionCookie } from '../../../shared/domain/desk/desk-session.ts';
import { handleAtDesk } from '../../../shared/http/handle.ts';
import { openPage, refusal, tooManyTries } from '../../../shared/http/pages/desk/sign-in-pages.ts';
import { readersLanguage } from '../../../shared/http/pages/page.ts';
import { seeOther } from '../../../shared/http/response.ts';
import { countTry } from '../../../shared/use-cases/desk/ask-for-link.ts';
import { findDeskLink, openDesk } from '../../../shared/use-cases/desk/open-desk.ts';

/** Opening the page does not use up the link, because scanners and previews open links, too. Its button does. */
export const handler = handleAtDesk(route, {
	deps: () => ({ ...edgeDeps(route.operation), ids: ids(), macs: macs() }),
	run: async ({ request, fields }, deps) => {
		const token = request.params['token'] ?? '';
		const workspace_id = fields?.['workspace'] ?? '';
		const outcome = fields === null ? await findDeskLink(token, deps) : await openDesk({ token, workspace_id }, deps);
		if ('secret' in outcome) return { response: seeOther('../pages/today', sessionCookie(outcome.secret)) };
		if ('link' in outcome) return { response: openPage(outcome, request) };
		const limit = outcome.refused === 'link_not_valid' ? await countTry('wrong', request.source_ip, deps) : null;
		return limit === null ? refusal(outcome.refused, readersLanguage(request)) : tooManyTries(limit, request);
	},
});
