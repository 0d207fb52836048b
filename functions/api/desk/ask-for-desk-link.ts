import { askForDeskLink as route } from '../../../shared/contract/desk/desk.ts';
import { edgeDeps, ids, macs, queues } from '../../../shared/deps.ts';
import { handleAtDesk } from '../../../shared/http/handle.ts';
import { deskProblem, sentPage } from '../../../shared/http/pages/desk/sign-in-pages.ts';
import { readersLanguage } from '../../../shared/http/pages/page.ts';
import { retryAfter } from '../../../shared/http/refusals.ts';
import { askForLink } from '../../../shared/use-cases/desk/ask-for-link.ts';

/** The answer is the same for every address. */
export const handler = handleAtDesk(route, {
	deps: () => ({ ...edgeDeps(route.operation), queues: queues(), ids: ids(), macs: macs() }),
	run: async ({ request, fields }, deps) => {
		const outcome = await askForLink({ address: fields['address'] ?? '', source_ip: request.source_ip }, deps);
		if ('asked' in outcome) return { response: sentPage(request) };
		const problem = deskProblem('rate_limited', readersLanguage(request));
		return { problem: { ...problem, headers: retryAfter(outcome.retry_after_seconds) } };
	},
});
