import { confirmCallbackLink as route } from '../../../shared/contract/leads/callback-links.ts';
import { callDeps, canDial, pageDeps } from '../../../shared/deps.ts';
import { handleForPeople } from '../../../shared/http/edge/handle.ts';
import { confirmProblem, ringingPage } from '../../../shared/http/leads/callback-pages.ts';
import { confirmCallback } from '../../../shared/use-cases/leads/confirm-callback.ts';

export const handler = handleForPeople(route, {
	deps: () => ({ ...pageDeps(route.operation), ...callDeps(), can_dial: canDial() }),
	run: async ({ request, form }, deps) => {
		const result = await confirmCallback({ token: request.params['token'] ?? '', phone: form?.phone ?? '' }, deps);
		if (result.outcome === 'refused') return { problem: confirmProblem(result) };
		return { response: ringingPage(result.member, result.locale, request) };
	},
});
