import { openDesk as route } from '../../../shared/contract/desk/desk.ts';
import { edgeDeps, ids, macs } from '../../../shared/deps.ts';
import { sessionCookie } from '../../../shared/domain/desk/desk-session.ts';
import { handleAtDesk } from '../../../shared/http/handle.ts';
import { openPage, refusal, tooOften } from '../../../shared/http/pages/desk/sign-in-pages.ts';
import { readersLanguage } from '../../../shared/http/pages/page.ts';
import { seeOther } from '../../../shared/http/response.ts';
import { countTry } from '../../../shared/use-cases/desk/ask-for-link.ts';
import { findDeskLink, openDesk } from '../../../shared/use-cases/desk/open-desk.ts';

/** Opening the page uses nothing up, because scanners and previews open links, too: its button does. */
export const handler = handleAtDesk(route, {
	deps: () => ({ ...edgeDeps(route.operation), ids: ids(), macs: macs() }),
	run: async ({ request, fields }, deps) => {
		const token = request.params['token'] ?? '';
		const workspace_id = fields?.['workspace'] ?? '';
		const opened = fields === null ? await findDeskLink(token, deps) : await openDesk({ token, workspace_id }, deps);
		if ('secret' in opened) return { response: seeOther('../pages/today', sessionCookie(opened.secret)) };
		if ('link' in opened) return { response: openPage(opened, request) };
		const limited = opened.refused === 'link_not_valid' ? await countTry('wrong', request.source_ip, deps) : null;
		return limited === null ? refusal(opened.refused, readersLanguage(request)) : tooOften(limited, request);
	},
});
