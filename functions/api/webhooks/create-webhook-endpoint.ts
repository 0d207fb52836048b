import { createWebhookEndpoint as route } from '../../../shared/contract/webhooks/webhook-endpoints.ts';
import { secretDeps, webhookSender } from '../../../shared/deps.ts';
import { forClients, handleChange } from '../../../shared/http/edge/handle.ts';
import { LIMIT_REACHED, urlProblem } from '../../../shared/http/edge/refusals.ts';
import { responseWithSecret } from '../../../shared/http/webhooks/signing-secret.ts';
import {
	type CreateWebhookEndpointResult,
	createWebhookEndpoint,
} from '../../../shared/use-cases/webhooks/create-webhook-endpoint.ts';

export const handler = handleChange(forClients, route, {
	deps: () => ({ ...secretDeps(route.operation), sender: webhookSender() }),
	respond: (result: CreateWebhookEndpointResult) => {
		switch (result.outcome) {
			case 'created':
				return responseWithSecret(result);
			case 'webhook_url_not_allowed':
				return { problem: urlProblem(result) };
			case 'limit_reached':
				return { problem: LIMIT_REACHED };
		}
	},
	run: ({ body, caller }, deps) =>
		createWebhookEndpoint(
			{
				...body,
				workspace_id: caller.workspace_id,
				description: body.description ?? null,
				made_with: caller.api_key_id,
			},
			deps,
		),
});
