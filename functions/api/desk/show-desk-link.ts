import { showDeskLink } from '../../../shared/contract/desk/desk.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { handleAtDesk } from '../../../shared/http/handle.ts';
import { deskProblem, openPage } from '../../../shared/http/pages/desk/sign-in-pages.ts';
import { readersLanguage } from '../../../shared/http/pages/page.ts';
import { findDeskLink } from '../../../shared/use-cases/desk/open-desk.ts';

/** Opening a link uses nothing up: scanners and previews open it, too. */
export const handler = handleAtDesk(showDeskLink, {
	deps: () => edgeDeps(showDeskLink.operation),
	run: async ({ request }, deps) => {
		const link = await findDeskLink(request.params['token'] ?? '', deps);
		if ('refused' in link) return { problem: deskProblem(link.refused, readersLanguage(request)) };
		return { response: openPage(link, request) };
	},
});
