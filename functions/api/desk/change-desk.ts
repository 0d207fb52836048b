import { changeDesk } from '../../../shared/contract/desk/desk.ts';
import { edgeDeps, ids, numberParser, numberSealer, queues, siteAddresses } from '../../../shared/deps.ts';
import { answerForm } from '../../../shared/http/desk/answer-form.ts';
import { handleAtDesk } from '../../../shared/http/handle.ts';
import { signedOutPage } from '../../../shared/http/pages/desk/sign-in-pages.ts';
import { readersLanguage } from '../../../shared/http/pages/page.ts';
import { enterDesk } from '../../../shared/use-cases/desk/enter-desk.ts';

export const handler = handleAtDesk(changeDesk, {
	deps: () => ({
		...edgeDeps(changeDesk.operation),
		queues: queues(),
		ids: ids(),
		sealer: numberSealer(),
		numbers: numberParser(),
		addresses: siteAddresses(),
	}),
	run: async ({ request, fields }, deps) => {
		const at = await enterDesk(request.cookies, deps);
		if (at === null) return { response: signedOutPage(readersLanguage(request), fields) };
		return answerForm(at, request, fields, deps);
	},
});
