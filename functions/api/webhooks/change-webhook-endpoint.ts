import { changeWebhookEndpoint as route } from '../../../shared/contract/webhooks/webhook-endpoints.ts';
import { edgeDeps, secretVault, webhookSender } from '../../../shared/deps.ts';
import { parseInstant } from '../../../shared/domain/kernel/time-range.ts';
import { forClients, handleChange } from '../../../shared/http/handle.ts';
import { noInstant, resourceProblem, urlProblem } from '../../../shared/http/refusals.ts';
import {
	type ChangeWebhookEndpointResult,
	changeWebhookEndpoint,
} from '../../../shared/use-cases/webhooks/change-webhook-endpoint.ts';

type Result = ChangeWebhookEndpointResult | { readonly outcome: 'since_invalid' };

export const handler = handleChange(forClients, route, {
	deps: () => ({ ...edgeDeps(route.operation), vault: secretVault(), sender: webhookSender() }),
	answer: (result: Result) => {
		switch (result.outcome) {
			case 'changed':
				return { answer: { data: result.endpoint } };
			case 'webhook_url_not_allowed':
				return { problem: urlProblem(result.reason) };
			case 'since_invalid':
				return { problem: noInstant('/since') };
			case 'not_found':
			case 'precondition_failed':
				return { problem: resourceProblem(result.outcome) };
		}
	},
	run: async ({ params, body, caller }, deps) => {
		const since_ms = body.since === undefined ? null : parseInstant(body.since);
		if (body.since !== undefined && since_ms === null) return { outcome: 'since_invalid' } as const;
		return changeWebhookEndpoint({ workspace_id: caller.workspace_id, id: params.id }, { ...body, since_ms }, deps);
	},
});
