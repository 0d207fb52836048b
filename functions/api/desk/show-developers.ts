import { showDevelopers } from '../../../shared/contract/desk/desk.ts';
import { pageDeps } from '../../../shared/deps.ts';
import { sessionCookie } from '../../../shared/domain/desk/session-cookie.ts';
import { developerSite } from '../../../shared/http/desk/developer-site.ts';
import { handleForPeople } from '../../../shared/http/edge/handle.ts';
import { prolongSession } from '../../../shared/use-cases/desk/enter-desk.ts';

export const handler = handleForPeople(showDevelopers, {
	deps: () => pageDeps(showDevelopers.operation),
	run: async ({ request }, deps) => {
		const admitted = await developerSite.admit(request, null, deps);
		if (!('page' in admitted)) return admitted;
		const { page, view } = admitted;
		const cookies = (await prolongSession(view.at, deps)) ? [sessionCookie(view.at.secret)] : [];
		return { response: { ...(await developerSite.show(page, view, deps)), cookies } };
	},
});
