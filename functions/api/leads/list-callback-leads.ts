import { listCallbackLeads } from '../../../shared/contract/leads/callback-lead-routes.ts';
import { edgeDeps, macs } from '../../../shared/deps.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { answerList } from '../../../shared/http/list.ts';

export const handler = handleForClient(listCallbackLeads, {
	deps: () => ({ ...edgeDeps(listCallbackLeads.operation), macs: macs() }),
	run: ({ query, caller }, deps) =>
		answerList(
			'callback_lead',
			{ operation: listCallbackLeads.operation, workspace_id: caller.workspace_id, query },
			deps,
			{
				accept: (lead) => query.status === undefined || query.status.includes(lead.status),
				present: (lead) => lead,
			},
		),
});
