import { listWebhookEndpoints } from '../../../shared/contract/webhooks/webhook-endpoints.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { forClients, handle } from '../../../shared/http/edge/handle.ts';

export const handler = handle(forClients, listWebhookEndpoints, {
	deps: () => edgeDeps(listWebhookEndpoints.operation),
	run: async ({ caller }, { store }) => {
		const endpoints = await store.endpointsOf(caller.workspace_id);
		return { body: { data: endpoints.toReversed(), has_more: false, next_cursor: null } };
	},
});
