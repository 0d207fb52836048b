import { retryWebhookDelivery as route } from '../../../shared/contract/webhooks/webhook-deliveries.ts';
import { edgeDeps, queues } from '../../../shared/deps.ts';
import { forClients, handleChange } from '../../../shared/http/edge/handle.ts';
import {
	DELIVERY_IN_PROGRESS,
	ENDPOINT_DELETED,
	ENDPOINT_DISABLED,
	NOT_FOUND,
} from '../../../shared/http/edge/refusals.ts';
import { presentDelivery } from '../../../shared/http/webhooks/present-delivery.ts';
import { type RetryDeliveryResult, retryDelivery } from '../../../shared/use-cases/webhooks/retry-delivery.ts';

const PROBLEMS = {
	not_found: NOT_FOUND,
	endpoint_deleted: ENDPOINT_DELETED,
	endpoint_disabled: ENDPOINT_DISABLED,
	delivery_in_progress: DELIVERY_IN_PROGRESS,
} as const;

export const handler = handleChange(forClients, route, {
	deps: () => ({ ...edgeDeps(route.operation), queues: queues() }),
	respond: (result: RetryDeliveryResult) =>
		result.outcome === 'retried'
			? { body: { data: presentDelivery(result.delivery) } }
			: { problem: PROBLEMS[result.outcome] },
	run: ({ params, caller }, deps) => retryDelivery({ workspace_id: caller.workspace_id, id: params.id }, deps),
});
