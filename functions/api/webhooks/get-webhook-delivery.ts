import { getWebhookDelivery } from '../../../shared/contract/webhooks/webhook-delivery-routes.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { presentDelivery } from '../../../shared/http/present-delivery.ts';
import { NOT_FOUND } from '../../../shared/http/refusals.ts';

export const handler = handleForClient(getWebhookDelivery, {
	deps: () => edgeDeps(getWebhookDelivery.operation),
	run: async ({ params, caller }, { store }) => {
		const delivery = await store.get('delivery', { id: params.id });
		if (delivery === null || delivery.workspace_id !== caller.workspace_id) return { problem: NOT_FOUND };
		const older = await store.attemptsOf(delivery.id);
		const newest = delivery.last_attempt === null ? [] : [delivery.last_attempt];
		const attempts = [...older.map(({ attempt }) => attempt), ...newest];
		return { answer: { data: { ...presentDelivery(delivery), attempts } } };
	},
});
