import { createWebhookEndpoint as route } from '../../../shared/contract/webhooks/webhook-endpoints.ts';
import { edgeDeps, ids, secretVault, webhookSender } from '../../../shared/deps.ts';
import { forClients, handleChange } from '../../../shared/http/handle.ts';
import { LIMIT_REACHED, urlProblem } from '../../../shared/http/refusals.ts';
import { SECRET_PLACEHOLDER } from '../../../shared/http/stages/idempotency.ts';
import {
	type CreateWebhookEndpointResult,
	createWebhookEndpoint,
} from '../../../shared/use-cases/webhooks/create-webhook-endpoint.ts';

export const handler = handleChange(forClients, route, {
	deps: () => {
		const vault = secretVault();
		return { ...edgeDeps(route.operation), ids: ids(), vault, sender: webhookSender(), openSecret: vault.openSecret };
	},
	answer: (result: CreateWebhookEndpointResult) => {
		switch (result.outcome) {
			case 'created':
				return {
					answer: { data: { ...result.endpoint, secret: SECRET_PLACEHOLDER } },
					secret: { clear: result.secret, sealed: result.sealed_secret },
				};
			case 'webhook_url_not_allowed':
				return { problem: urlProblem(result.reason) };
			case 'limit_reached':
				return { problem: LIMIT_REACHED };
		}
	},
	run: ({ body, caller }, deps) =>
		createWebhookEndpoint({ ...body, workspace_id: caller.workspace_id, description: body.description ?? null }, deps),
});
