import type { ApiKey } from '../../domain/access/api-key.ts';
import { decideEndpoint } from '../../domain/webhooks/endpoint-machine.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Store } from '../../ports/store.ts';
import { revokeApiKey } from '../access/api-keys.ts';
import { everyItem } from '../kernel/list-page.ts';
import { change, putNext } from '../kernel/unit-of-work.ts';

/** Credentials that keep working after the person who made them has left: live API keys and enabled webhook endpoints. */
export type Credentials = { readonly keys: readonly ApiKey[]; readonly endpoints: readonly WebhookEndpoint[] };

export const credentialIds = ({ keys, endpoints }: Credentials): readonly string[] =>
	[...keys, ...endpoints].map(({ id }) => id);

/**
 * The live credentials of a workspace, grouped by the address of the person who made them. An endpoint that was made with a
 * key belongs to the person who made the key. Credentials that operators made belong to no one. Old credentials without a
 * recorded maker belong to no one either.
 */
export async function credentialsByMaker(
	workspaceId: string,
	store: Pick<Store, 'list' | 'endpointsOf'>,
): Promise<(address: string) => Credentials> {
	const keys: ApiKey[] = [];
	for await (const key of everyItem('api_key', workspaceId, { from_id: null, before_id: null }, store)) keys.push(key);
	const endpoints = await store.endpointsOf(workspaceId);
	return (address) => {
		const own = keys.filter(({ made_by }) => made_by === address);
		const ids = new Set(own.map(({ id }) => id));
		return {
			keys: own.filter(({ revoked_at }) => revoked_at === null),
			endpoints: endpoints.filter(({ status, made_by, made_with }) => {
				return status === 'enabled' && (made_by === address || (made_with !== undefined && ids.has(made_with)));
			}),
		};
	};
}

/**
 * Returns the store to use for ending one credential. That store may add an audit entry. `about` is the key's name or the
 * endpoint's URL.
 */
type StoreFor = (record: 'api_key' | 'webhook_endpoint', about: string) => Store;

/** Revokes these keys permanently and disables these endpoints. A person can enable the endpoints again. */
export async function endCredentials(
	{ keys, endpoints }: Credentials,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
	storeFor: StoreFor = () => store,
): Promise<void> {
	for (const { id, workspace_id, name } of keys)
		await revokeApiKey({ id, workspace_id }, { store: storeFor('api_key', name), clock });
	for (const { id, workspace_id, url } of endpoints)
		await disableEndpoint({ id, workspace_id }, { store: storeFor('webhook_endpoint', url), clock });
}

function disableEndpoint(
	key: { readonly workspace_id: string; readonly id: string },
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<void> {
	return change<WebhookEndpoint | null, void>(
		{
			read: () => store.get('webhook_endpoint', key),
			decide: (before) => {
				const edit = { status: 'disabled' } as const;
				const after = before && decideEndpoint(before, { input: 'edit', edit }, clock.now());
				if (after === null) return { result: undefined };
				return { result: undefined, writes: { endpoint: putNext('webhook_endpoint', after) } };
			},
		},
		store,
	);
}
