import { showDesk } from '../../../shared/contract/desk/desk.ts';
import { callerNumber, pageDeps, siteAddresses } from '../../../shared/deps.ts';
import { sessionCookie } from '../../../shared/domain/desk/session-cookie.ts';
import { readView } from '../../../shared/http/desk/kit/view.ts';
import { shopSite } from '../../../shared/http/desk/shop-site.ts';
import { handleForPeople } from '../../../shared/http/edge/handle.ts';
import { prolongSession } from '../../../shared/use-cases/desk/enter-desk.ts';

export const handler = handleForPeople(showDesk, {
	deps: () => ({ ...pageDeps(showDesk.operation), caller_number: callerNumber(), addresses: siteAddresses() }),
	run: async ({ request }, deps) => {
		const admitted = await shopSite.admit(request, null, deps);
		if (!('page' in admitted)) return admitted;
		const { page, at } = admitted;
		const cookies = (await prolongSession(at, deps)) ? [sessionCookie(at.secret)] : [];
		const view = readView(at, deps.clock.now(), request);
		return { response: { ...(await shopSite.show(page, view, deps)), cookies } };
	},
});
