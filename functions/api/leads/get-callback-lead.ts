import { getCallbackLead } from '../../../shared/contract/leads/callback-lead-routes.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { NOT_FOUND } from '../../../shared/http/refusals.ts';

export const handler = handleForClient(getCallbackLead, {
	deps: () => edgeDeps(getCallbackLead.operation),
	run: async ({ params, caller }, { store }) => {
		const lead = await store.get('callback_lead', { id: params.id });
		if (lead === null || lead.workspace_id !== caller.workspace_id) return { problem: NOT_FOUND };
		return { answer: { data: lead } };
	},
});
