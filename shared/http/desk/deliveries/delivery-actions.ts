import * as z from 'zod/mini';
import { ID_PATTERN } from '../../../domain/kernel/id.ts';
import { retryDelivery as sendAgain } from '../../../use-cases/webhooks/retry-delivery.ts';
import { asRequest, defineAction, formOf, type Uses } from '../define-action.ts';

export const retryDelivery = defineAction(formOf(z.object({ id: z.string().check(z.regex(ID_PATTERN)) })), {
	limit: asRequest(),
	audit: { with: ['delivery'], about: async ({ id }, _, { store }) => (await store.get('delivery', { id }))?.event },
	next: ({ id = '' }) => ({ link: `deliveries?id=${encodeURIComponent(id)}&saved=retried` }),
	run: async ({ id }, { workspace }, deps: Uses<'queues'>) => {
		const { outcome } = await sendAgain({ workspace_id: workspace.id, id }, deps);
		return outcome === 'retried' ? { done: true } : { refused: outcome };
	},
});
