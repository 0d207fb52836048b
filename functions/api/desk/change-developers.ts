import { changeDevelopers } from '../../../shared/contract/desk/desk.ts';
import { ids, pageDeps, queues, secretVault, testSender } from '../../../shared/deps.ts';
import { runDeveloperAction } from '../../../shared/http/desk/developer-actions.ts';
import { developerSite } from '../../../shared/http/desk/developer-site.ts';
import { handleForm } from '../../../shared/http/desk/handle-form.ts';
import { handleForPeople } from '../../../shared/http/edge/handle.ts';

export const handler = handleForPeople(changeDevelopers, {
	deps: () => ({
		...pageDeps(changeDevelopers.operation),
		queues: queues(),
		ids: ids(),
		vault: secretVault(),
		sender: testSender(),
	}),
	run: async ({ request, form }, deps) => {
		const fields = form ?? {};
		const admitted = await developerSite.admit(request, fields, deps);
		if (!('page' in admitted)) return admitted;
		const desk = { site: developerSite, run: runDeveloperAction };
		return handleForm(desk, admitted, request, fields, deps);
	},
});
