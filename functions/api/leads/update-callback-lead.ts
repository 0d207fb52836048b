import { updateCallbackLead } from '../../../shared/contract/leads/callback-lead-routes.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import type { CallbackLead } from '../../../shared/domain/leads/callback-lead.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { resourceProblem } from '../../../shared/http/refusals.ts';
import { updateLead } from '../../../shared/use-cases/leads/update-lead.ts';

export const handler = handleForClient(updateCallbackLead, {
	deps: () => edgeDeps(updateCallbackLead.operation),
	run: async ({ params, body, caller, remember, mayChange }, deps) => {
		const change = { workspace_id: caller.workspace_id, id: params.id, status: body.status };
		const edge = {
			mayChange: (lead: CallbackLead) => mayChange({ data: lead }),
			alongside: (lead: CallbackLead) => remember({ data: lead }),
		};
		const outcome = await updateLead(change, edge, deps);
		if ('lead' in outcome) return { answer: { data: outcome.lead } };
		return { problem: resourceProblem(outcome.refused) };
	},
});
