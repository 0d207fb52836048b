import { signIn } from '../../../shared/contract/desk/desk.ts';
import { edgeDeps, macs, queues } from '../../../shared/deps.ts';
import { handleAtDesk } from '../../../shared/http/handle.ts';
import { sentPage, signInPage, tooManyTries } from '../../../shared/http/pages/desk/sign-in-pages.ts';
import { askForLink } from '../../../shared/use-cases/desk/ask-for-link.ts';

/** The answer is the same for every address. */
export const handler = handleAtDesk(signIn, {
	deps: () => ({ ...edgeDeps(signIn.operation), queues: queues(), macs: macs() }),
	run: async ({ request, fields }, deps) => {
		if (fields === null) return { response: signInPage(request) };
		const outcome = await askForLink({ address: fields['address'] ?? '', source_ip: request.source_ip }, deps);
		return 'asked' in outcome ? { response: sentPage(request) } : tooManyTries(outcome, request);
	},
});
