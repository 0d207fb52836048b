import { changeWebhookEndpoint as route } from '../../shared/contract/routes/webhook-endpoints.ts';
import { edgeDeps, webhookSender } from '../../shared/deps.ts';
import { handleForClient } from '../../shared/http/handle.ts';
import { endpointProblem } from '../../shared/http/refusals.ts';
import { changeWebhookEndpoint } from '../../shared/use-cases/change-webhook-endpoint.ts';

export const handler = handleForClient(route, {
	deps: () => ({ ...edgeDeps(route.operation), sender: webhookSender() }),
	run: async ({ params, body, caller, remember }, deps) => {
		const key = { workspace_id: caller.workspace_id, id: params.id };
		const outcome = await changeWebhookEndpoint(key, body, (endpoint) => remember({ data: endpoint }), deps);
		if ('refused' in outcome) return { problem: endpointProblem(outcome) };
		return { answer: { data: outcome.changed } };
	},
});
