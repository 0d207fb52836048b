import { showDevelopers } from '../../../shared/contract/desk/desk.ts';
import { pageDeps } from '../../../shared/deps.ts';
import { sessionCookie } from '../../../shared/domain/desk/session-cookie.ts';
import { developerSite } from '../../../shared/http/desk/developer-site.ts';
import { readView } from '../../../shared/http/desk/kit/view.ts';
import { handleForPeople } from '../../../shared/http/edge/handle.ts';
import { prolongSession } from '../../../shared/use-cases/desk/enter-desk.ts';

export const handler = handleForPeople(showDevelopers, {
	deps: () => pageDeps(showDevelopers.operation),
	run: async ({ request }, deps) => {
		const admitted = await developerSite.admit(request, null, deps);
		if (!('page' in admitted)) return admitted;
		const { page, at } = admitted;
		const cookies = (await prolongSession(at, deps)) ? [sessionCookie(at.secret)] : [];
		const view = readView(at, deps.clock.now(), request);
		return { response: { ...(await developerSite.show(page, view, deps)), cookies } };
	},
});
