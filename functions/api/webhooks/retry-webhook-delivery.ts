import { retryWebhookDelivery } from '../../../shared/contract/webhooks/webhook-delivery-routes.ts';
import { edgeDeps, queues } from '../../../shared/deps.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { presentDelivery } from '../../../shared/http/present-delivery.ts';
import { retryProblem } from '../../../shared/http/refusals.ts';
import { retryDelivery } from '../../../shared/use-cases/webhooks/retry-delivery.ts';

export const handler = handleForClient(retryWebhookDelivery, {
	deps: () => ({ ...edgeDeps(retryWebhookDelivery.operation), queues: queues() }),
	run: async ({ params, caller, remember }, deps) => {
		const asked = { workspace_id: caller.workspace_id, id: params.id };
		const outcome = await retryDelivery(asked, (delivery) => remember({ data: presentDelivery(delivery) }), deps);
		if ('delivery' in outcome) return { answer: { data: presentDelivery(outcome.delivery) } };
		return { problem: retryProblem(outcome.refused) };
	},
});
