import {
	deleteWebhookEndpoint as route,
	WebhookEndpointResponse,
} from '../../../shared/contract/webhooks/webhook-endpoints.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { forClients, handle } from '../../../shared/http/edge/handle.ts';
import { resourceProblem } from '../../../shared/http/edge/refusals.ts';
import { hasSeen } from '../../../shared/http/edge/respond.ts';
import { deleteWebhookEndpoint } from '../../../shared/use-cases/webhooks/delete-webhook-endpoint.ts';

export const handler = handle(forClients, route, {
	deps: () => edgeDeps(route.operation),
	run: async ({ params, caller, request }, { store }) => {
		const key = { workspace_id: caller.workspace_id, id: params.id };
		const { outcome } = await deleteWebhookEndpoint(key, {
			store,
			hasSeen: (endpoint) => hasSeen(request, WebhookEndpointResponse, { data: endpoint }),
		});
		return outcome === 'deleted' ? { body: null } : { problem: resourceProblem(outcome) };
	},
});
