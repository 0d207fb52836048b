import { changeDesk } from '../../../shared/contract/desk/desk.ts';
import {
	callDeps,
	callerNumber,
	canDial,
	macs,
	numberParser,
	numberSealer,
	pageDeps,
	siteAddresses,
} from '../../../shared/deps.ts';
import { switchAction } from '../../../shared/http/desk/desks/switch-action.ts';
import { handleForm } from '../../../shared/http/desk/handle-form.ts';
import { runShopAction } from '../../../shared/http/desk/shop-actions.ts';
import { shopForms } from '../../../shared/http/desk/shop-forms.ts';
import { handleForPeople } from '../../../shared/http/edge/handle.ts';

export const handler = handleForPeople(changeDesk, {
	deps: () => ({
		...pageDeps(changeDesk.operation),
		...callDeps(),
		can_dial: canDial(),
		caller_number: callerNumber(),
		sealer: numberSealer(),
		macs: macs(),
		numbers: numberParser(),
		addresses: siteAddresses(),
	}),
	run: async ({ request, form }, deps) => {
		const fields = form ?? {};
		const admitted = await shopForms.admit(request, fields, deps);
		if (!('page' in admitted)) return admitted;
		const desk = { site: shopForms, run: runShopAction, switchDesk: switchAction };
		return handleForm(desk, admitted, request, fields, deps);
	},
});
