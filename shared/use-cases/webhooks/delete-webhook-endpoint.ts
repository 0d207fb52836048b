import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { EndpointRoster } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';
import { change } from '../kernel/unit-of-work.ts';
import { changeRoster, readRoster } from './endpoint-roster.ts';

type DeleteOutcome = { readonly outcome: 'deleted' | 'not_found' | 'precondition_failed' };
type DeleteState = { readonly endpoint: WebhookEndpoint | null; readonly roster: EndpointRoster };

/**
 * Deletes an endpoint, if it is still in the state that the client has seen. Its deliveries are canceled when they are next
 * due.
 */
export async function deleteWebhookEndpoint(
	key: { readonly workspace_id: string; readonly id: string },
	{
		store,
		hasSeen,
	}: {
		readonly store: Store;
		readonly hasSeen: (endpoint: WebhookEndpoint) => boolean;
	},
): Promise<DeleteOutcome> {
	return change<DeleteState, DeleteOutcome>(
		{
			read: async () => ({
				endpoint: await store.get('webhook_endpoint', key),
				roster: await readRoster(key.workspace_id, store),
			}),
			decide: ({ endpoint, roster }) => {
				if (endpoint === null) return { result: { outcome: 'not_found' } };
				if (!hasSeen(endpoint)) return { result: { outcome: 'precondition_failed' } };
				const guard = { if: 'version', version: endpoint.version } as const;
				return {
					result: { outcome: 'deleted' },
					writes: {
						roster: changeRoster(roster, -1),
						endpoint: { op: 'remove', record: 'webhook_endpoint', key, guard },
					},
				};
			},
		},
		store,
	);
}
