import { showDesk } from '../../../shared/contract/desk/desk.ts';
import { edgeDeps, siteAddresses } from '../../../shared/deps.ts';
import { sessionCookie } from '../../../shared/domain/desk/desk-session.ts';
import { showPage } from '../../../shared/http/desk/show-page.ts';
import { handleAtDesk } from '../../../shared/http/handle.ts';
import { pageNamed, viewOf } from '../../../shared/http/pages/desk/frame.ts';
import { refusal, signedOutPage } from '../../../shared/http/pages/desk/sign-in-pages.ts';
import { readersLanguage } from '../../../shared/http/pages/page.ts';
import { enterDesk, prolongSession } from '../../../shared/use-cases/desk/enter-desk.ts';

export const handler = handleAtDesk(showDesk, {
	deps: () => ({ ...edgeDeps(showDesk.operation), addresses: siteAddresses() }),
	run: async ({ request }, deps) => {
		const at = await enterDesk(request.cookies, deps);
		if (at === null) return { response: signedOutPage(readersLanguage(request), null) };
		const view = viewOf(at, deps.clock.now());
		const page = pageNamed(request.params['page'], at);
		if ('refused' in page) return refusal(page.refused, view.language);
		const note = request.query['saved'] === undefined ? null : { text: view.texts.saved, problem: null };
		const cookies = (await prolongSession(at, deps)) ? [sessionCookie(at.secret)] : [];
		return { response: { ...(await showPage(page.shown, { ...view, note }, request.query, deps)), cookies } };
	},
});
