import { createWebhookEndpoint as route } from '../../../shared/contract/webhooks/webhook-endpoint-routes.ts';
import { edgeDeps, ids, secretVault, webhookSender } from '../../../shared/deps.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { endpointProblem } from '../../../shared/http/refusals.ts';
import { SECRET_PLACEHOLDER } from '../../../shared/http/stages/idempotency.ts';
import { createWebhookEndpoint } from '../../../shared/use-cases/webhooks/create-webhook-endpoint.ts';

export const handler = handleForClient(route, {
	deps: () => {
		const vault = secretVault();
		return { ...edgeDeps(route.operation), ids: ids(), vault, sender: webhookSender(), openSecret: vault.openSecret };
	},
	run: async ({ body, caller, remember }, deps) => {
		const outcome = await createWebhookEndpoint(
			{
				workspace_id: caller.workspace_id,
				url: body.url,
				description: body.description ?? null,
				events: body.events,
				alongside: (endpoint, sealed) => remember({ data: { ...endpoint, secret: SECRET_PLACEHOLDER } }, sealed),
			},
			deps,
		);
		if ('refused' in outcome) return { problem: endpointProblem(outcome) };
		return { answer: { data: { ...outcome.created, secret: outcome.secret } } };
	},
});
