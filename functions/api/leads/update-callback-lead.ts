import { updateCallbackLead as route } from '../../../shared/contract/leads/callback-leads.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { forClients, handleChange } from '../../../shared/http/edge/handle.ts';
import { resourceProblem } from '../../../shared/http/edge/refusals.ts';
import { type UpdateLeadResult, updateLead } from '../../../shared/use-cases/leads/update-lead.ts';

export const handler = handleChange(forClients, route, {
	deps: () => edgeDeps(route.operation),
	respond: (result: UpdateLeadResult) =>
		result.outcome === 'updated' ? { body: { data: result.lead } } : { problem: resourceProblem(result.outcome) },
	run: ({ params, body, caller }, deps) =>
		updateLead({ workspace_id: caller.workspace_id, id: params.id, status: body.status }, deps),
});
