import { testWebhookEndpoint as route } from '../../../shared/contract/webhooks/webhook-endpoints.ts';
import { edgeDeps, ids, secretVault, testSender } from '../../../shared/deps.ts';
import { forClients, handle } from '../../../shared/http/edge/handle.ts';
import { NOT_FOUND } from '../../../shared/http/edge/refusals.ts';
import { testWebhookEndpoint } from '../../../shared/use-cases/webhooks/test-webhook-endpoint.ts';

export const handler = handle(forClients, route, {
	deps: () => ({ ...edgeDeps(route.operation), ids: ids(), vault: secretVault(), sender: testSender() }),
	run: async ({ params, body, caller }, deps) => {
		const key = { workspace_id: caller.workspace_id, id: params.id };
		const attempt = await testWebhookEndpoint(key, body.event, deps);
		return attempt === null ? { problem: NOT_FOUND } : { body: { data: attempt } };
	},
});
