import { openDeskLink } from '../../../shared/contract/desk/desk.ts';
import { edgeDeps, ids } from '../../../shared/deps.ts';
import { sessionCookie } from '../../../shared/domain/desk/desk-session.ts';
import { handleAtDesk } from '../../../shared/http/handle.ts';
import { deskProblem } from '../../../shared/http/pages/desk/sign-in-pages.ts';
import { readersLanguage } from '../../../shared/http/pages/page.ts';
import { seeOther } from '../../../shared/http/response.ts';
import { openDesk } from '../../../shared/use-cases/desk/open-desk.ts';

export const handler = handleAtDesk(openDeskLink, {
	deps: () => ({ ...edgeDeps(openDeskLink.operation), ids: ids() }),
	run: async ({ request, fields }, deps) => {
		const token = request.params['token'] ?? '';
		const outcome = await openDesk({ token, workspace_id: fields['workspace'] ?? '' }, deps);
		if ('refused' in outcome) return { problem: deskProblem(outcome.refused, readersLanguage(request)) };
		return { response: seeOther('../pages/today', sessionCookie(outcome.secret)) };
	},
});
