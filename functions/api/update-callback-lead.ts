import { updateCallbackLead } from '../../shared/contract/routes/callback-leads.ts';
import { edgeDeps } from '../../shared/deps.ts';
import { handleForClient } from '../../shared/http/handle.ts';
import { NOT_FOUND, TWIN_IN_PROGRESS } from '../../shared/http/refusals.ts';
import { updateLead } from '../../shared/use-cases/update-lead.ts';

export const handler = handleForClient(updateCallbackLead, {
	deps: () => edgeDeps(updateCallbackLead.operation),
	run: async ({ params, body, caller, remember }, deps) => {
		const change = { workspace_id: caller.workspace_id, id: params.id, status: body.status };
		const outcome = await updateLead(change, (lead) => remember({ data: lead }), deps);
		if ('lead' in outcome) return { answer: { data: outcome.lead } };
		return { problem: outcome.refused === 'not_found' ? NOT_FOUND : TWIN_IN_PROGRESS };
	},
});
