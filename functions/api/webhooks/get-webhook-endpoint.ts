import { getWebhookEndpoint } from '../../../shared/contract/webhooks/webhook-endpoint-routes.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { NOT_FOUND } from '../../../shared/http/refusals.ts';

export const handler = handleForClient(getWebhookEndpoint, {
	deps: () => edgeDeps(getWebhookEndpoint.operation),
	run: async ({ params, caller }, { store }) => {
		const key = { workspace_id: caller.workspace_id, id: params.id };
		const endpoint = await store.get('webhook_endpoint', key);
		return endpoint === null ? { problem: NOT_FOUND } : { answer: { data: endpoint } };
	},
});
