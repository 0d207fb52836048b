import { openDesk as route } from '../../../shared/contract/desk/desk.ts';
import { ids, macs, pageDeps } from '../../../shared/deps.ts';
import { sessionCookie } from '../../../shared/domain/desk/session-cookie.ts';
import { openPage, refusal, tooOften } from '../../../shared/http/desk/pages/sign-in-pages.ts';
import { handleForPeople } from '../../../shared/http/handle.ts';
import { readersLanguage } from '../../../shared/http/pages/page.ts';
import { seeOther } from '../../../shared/http/response.ts';
import { countTry, findDeskLink, openDesk } from '../../../shared/use-cases/desk/desk-links.ts';

/** Opening the page uses nothing up, because scanners and previews open links, too: its button does. */
export const handler = handleForPeople(route, {
	deps: () => ({ ...pageDeps(route.operation), ids: ids(), macs: macs() }),
	run: async ({ request, form }, deps) => {
		const token = request.params['token'] ?? '';
		const state = await (form === null ? findDeskLink(token, deps) : openDesk(token, form.workspace, deps));
		if ('secret' in state) return { response: seeOther('../pages/today', sessionCookie(state.secret)) };
		if ('link' in state) return { response: openPage(state.workspaces, request) };
		const limited = state.refused === 'link_not_valid' ? await countTry('wrong', request.source_ip, deps) : null;
		return limited === null ? refusal(state.refused, readersLanguage(request)) : tooOften(limited, request);
	},
});
