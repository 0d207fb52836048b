import { showCallbackLink } from '../../../shared/contract/leads/callback-links.ts';
import { pageDeps } from '../../../shared/deps.ts';
import { handleForPeople } from '../../../shared/http/edge/handle.ts';
import { askPage, confirmProblem } from '../../../shared/http/leads/callback-pages.ts';
import { findCallbackLink } from '../../../shared/use-cases/leads/find-callback-link.ts';

/** Opening a link changes nothing, because mail scanners and previews open links, too. */
export const handler = handleForPeople(showCallbackLink, {
	deps: () => pageDeps(showCallbackLink.operation),
	run: async ({ request }, deps) => {
		const link = await findCallbackLink(request.params['token'] ?? '', deps);
		return 'refused' in link ? { problem: confirmProblem(link) } : { response: askPage(link, request) };
	},
});
