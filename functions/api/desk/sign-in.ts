import { signIn } from '../../../shared/contract/desk/desk.ts';
import { macs, pageDeps, queues } from '../../../shared/deps.ts';
import { sentPage, signInPage, tooOften } from '../../../shared/http/desk/pages/sign-in-pages.ts';
import { handleForPeople } from '../../../shared/http/handle.ts';
import { askForLink } from '../../../shared/use-cases/desk/desk-links.ts';

/** The answer is the same for every address. */
export const handler = handleForPeople(signIn, {
	deps: () => ({ ...pageDeps(signIn.operation), queues: queues(), macs: macs() }),
	run: async ({ request, form }, deps) => {
		if (form === null) return { response: signInPage(request) };
		const limited = await askForLink(form.address, request.source_ip, deps);
		return limited === null ? { response: sentPage(request) } : tooOften(limited, request);
	},
});
