import { changeDesk } from '../../../shared/contract/desk/desk.ts';
import { callDeps, canDial, edgeDeps, macs, numberParser, numberSealer, siteAddresses } from '../../../shared/deps.ts';
import { answerForm } from '../../../shared/http/desk/answer-form.ts';
import { actAtDesk } from '../../../shared/http/desk/shop-actions.ts';
import { shopSite } from '../../../shared/http/desk/shop-site.ts';
import { handleForPeople } from '../../../shared/http/handle.ts';

export const handler = handleForPeople(changeDesk, {
	deps: () => ({
		...edgeDeps(changeDesk.operation),
		...callDeps(),
		can_dial: canDial(),
		sealer: numberSealer(),
		macs: macs(),
		numbers: numberParser(),
		addresses: siteAddresses(),
	}),
	run: async ({ request, form }, deps) => {
		const fields = form ?? {};
		const admitted = await shopSite.admit(request, fields, deps);
		if (!('page' in admitted)) return admitted;
		return { response: await answerForm({ site: shopSite, act: actAtDesk }, admitted, request, fields, deps) };
	},
});
