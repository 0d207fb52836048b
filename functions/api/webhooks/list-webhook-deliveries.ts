import { listWebhookDeliveries } from '../../../shared/contract/webhooks/webhook-delivery-routes.ts';
import { edgeDeps, macs } from '../../../shared/deps.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { answerList } from '../../../shared/http/list.ts';
import { presentDelivery } from '../../../shared/http/present-delivery.ts';

export const handler = handleForClient(listWebhookDeliveries, {
	deps: () => ({ ...edgeDeps(listWebhookDeliveries.operation), macs: macs() }),
	run: ({ query, caller }, deps) =>
		answerList(
			'delivery',
			{ operation: listWebhookDeliveries.operation, workspace_id: caller.workspace_id, query },
			deps,
			{
				accept: (delivery) =>
					(query.status === undefined || query.status.includes(delivery.status)) &&
					(query.endpoint_id === undefined || query.endpoint_id === delivery.endpoint_id) &&
					(query.event === undefined || query.event === delivery.event) &&
					(query.event_id === undefined || query.event_id === delivery.event_id),
				present: presentDelivery,
			},
		),
});
