import { showDesk } from '../../../shared/contract/desk/desk.ts';
import { edgeDeps, siteAddresses } from '../../../shared/deps.ts';
import { pageOf } from '../../../shared/http/desk/page-of.ts';
import { showCsv } from '../../../shared/http/desk/show-csv.ts';
import { showPage } from '../../../shared/http/desk/show-page.ts';
import { handleAtDesk } from '../../../shared/http/handle.ts';
import { savedNote, viewOf } from '../../../shared/http/pages/desk/frame.ts';
import { signedOutPage } from '../../../shared/http/pages/desk/sign-in-pages.ts';
import { readersLanguage } from '../../../shared/http/pages/page.ts';
import { enterDesk } from '../../../shared/use-cases/desk/enter-desk.ts';

export const handler = handleAtDesk(showDesk, {
	deps: () => ({ ...edgeDeps(showDesk.operation), addresses: siteAddresses() }),
	run: async ({ request }, deps) => {
		const at = await enterDesk(request.cookies, deps);
		if (at === null) return { response: signedOutPage(readersLanguage(request), null) };
		const csv = await showCsv(request, at, deps);
		if (csv !== null) return { response: csv };
		const page_or_problem = pageOf(request, at);
		if ('problem' in page_or_problem) return page_or_problem;
		const view = viewOf(at, deps.clock.now(), null);
		return { response: await showPage(page_or_problem.page, savedNote(view, request.query), request.query, deps) };
	},
});
