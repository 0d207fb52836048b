import { changeDesk } from '../../../shared/contract/desk/desk.ts';
import { edgeDeps, ids, numberParser, numberSealer, queues, siteAddresses } from '../../../shared/deps.ts';
import { languageOf } from '../../../shared/domain/workspaces/language.ts';
import { answerForm, signOut } from '../../../shared/http/desk/answer-form.ts';
import { handleAtDesk } from '../../../shared/http/handle.ts';
import { pageNamed } from '../../../shared/http/pages/desk/frame.ts';
import { refusal, signedOutPage } from '../../../shared/http/pages/desk/sign-in-pages.ts';
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
		const form = fields ?? {};
		const at = await enterDesk(request.cookies, deps);
		if (at === null) return { response: signedOutPage(readersLanguage(request), form) };
		const { page: name } = request.params;
		if (name === 'sign-out') return { response: await signOut(at, form, deps) };
		const page = pageNamed(name, at);
		if ('refused' in page) return refusal(page.refused, languageOf(at.workspace));
		return { response: await answerForm(at, page.shown, request, form, deps) };
	},
});
