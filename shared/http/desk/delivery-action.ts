import { retryDelivery } from '../../use-cases/webhooks/retry-delivery.ts';
import type { Fields } from '../edge/request.ts';
import { developerAction } from './developer-action.ts';
import { endpointForm } from './endpoint-actions.ts';
import type { ActionOutcome } from './run-action.ts';

export const sentAgain = (_press: string, { id = '' }: Fields): ActionOutcome => ({
	link: `deliveries?id=${encodeURIComponent(id)}&saved=retried`,
});

export const sendDeliveryAgain = developerAction(endpointForm, async ({ id }, at) => {
	const key = { workspace_id: at.workspace.id, id };
	const result = await retryDelivery(key, {
		...at,
		keepResponse: (made) => (made.outcome === 'retried' ? [at.entryAbout(made.delivery.event)] : []),
	});
	return result.outcome === 'retried' ? sentAgain('', { id }) : { refused: result.outcome };
});
