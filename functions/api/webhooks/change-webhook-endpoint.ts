import { changeWebhookEndpoint as route } from '../../../shared/contract/webhooks/webhook-endpoints.ts';
import { edgeDeps, secretVault, webhookSender } from '../../../shared/deps.ts';
import { forClients, handleChange } from '../../../shared/http/edge/handle.ts';
import { resourceProblem, urlProblem } from '../../../shared/http/edge/refusals.ts';
import {
	type ChangeWebhookEndpointResult,
	changeWebhookEndpoint,
} from '../../../shared/use-cases/webhooks/change-webhook-endpoint.ts';

export const handler = handleChange(forClients, route, {
	deps: () => ({ ...edgeDeps(route.operation), vault: secretVault(), sender: webhookSender() }),
	respond: (result: ChangeWebhookEndpointResult) => {
		switch (result.outcome) {
			case 'changed':
				return { body: { data: result.endpoint } };
			case 'webhook_url_not_allowed':
				return { problem: urlProblem(result) };
			case 'not_found':
			case 'precondition_failed':
				return { problem: resourceProblem(result.outcome) };
		}
	},
	run: ({ params, body, caller }, deps) =>
		changeWebhookEndpoint({ workspace_id: caller.workspace_id, id: params.id }, body, deps),
});
