import { changeWebhookEndpoint as route } from '../../../shared/contract/webhooks/webhook-endpoint-routes.ts';
import { edgeDeps, webhookSender } from '../../../shared/deps.ts';
import { parseInstant } from '../../../shared/domain/kernel/time-range.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { endpointProblem, invalidField, NO_INSTANT } from '../../../shared/http/refusals.ts';
import { changeWebhookEndpoint } from '../../../shared/use-cases/webhooks/change-webhook-endpoint.ts';

export const handler = handleForClient(route, {
	deps: () => ({ ...edgeDeps(route.operation), sender: webhookSender() }),
	run: async ({ params, body, caller, remember, mayChange }, deps) => {
		const key = { workspace_id: caller.workspace_id, id: params.id };
		const since_ms = body.since === undefined ? null : parseInstant(body.since);
		if (body.since !== undefined && since_ms === null) return { problem: invalidField('/since', NO_INSTANT) };
		const change = { ...body, since_ms };
		const edge = {
			mayChange: (endpoint: WebhookEndpoint) => mayChange({ data: endpoint }),
			alongside: (endpoint: WebhookEndpoint) => remember({ data: endpoint }),
		};
		const outcome = await changeWebhookEndpoint(key, change, edge, deps);
		if ('refused' in outcome) return { problem: endpointProblem(outcome) };
		return { answer: { data: outcome.changed } };
	},
});
