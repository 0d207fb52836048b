import { API_KEY_SECRET_BYTES, type ApiKey, formatApiKey, hashApiKey } from '../../domain/access/api-key.ts';
import type { Ports } from '../../ports/ports.ts';
import { asRead, change, type ForRequest, putNext } from '../kernel/unit-of-work.ts';

export type CreatedApiKey = { readonly key: ApiKey; readonly secret: string };

/** Creates an API key. `secret` is the whole key. Show the key to its owner now, because only its hash is stored. */
export async function createApiKey(
	input: Pick<ApiKey, 'workspace_id' | 'name' | 'permissions' | 'made_by'>,
	deps: Pick<Ports, 'store' | 'clock' | 'ids'> & Pick<ForRequest<CreatedApiKey>, 'keepResponse'>,
): Promise<CreatedApiKey | { readonly refused: 'workspace_not_found' }> {
	const workspace = await deps.store.get('workspace', { id: input.workspace_id });
	if (workspace === null) return { refused: 'workspace_not_found' };
	const nowMs = deps.clock.now();
	const id = deps.ids.next(nowMs);
	const secret = formatApiKey(id, deps.ids.random(API_KEY_SECRET_BYTES));
	const key: ApiKey = {
		...input,
		id,
		version: 1,
		secret_hash: hashApiKey(secret),
		created_at: new Date(nowMs).toISOString(),
		revoked_at: null,
	};
	const result = { key, secret };
	const write = { op: 'put', record: 'api_key', item: key, guard: asRead(null) } as const;
	const outcome = await deps.store.commit([write, ...(deps.keepResponse?.(result) ?? [])]);
	if (!outcome.committed) throw new Error('a fresh API key id was taken');
	return result;
}

export type RevokeApiKeyResult =
	| { readonly outcome: 'revoked'; readonly key: ApiKey }
	| { readonly outcome: 'not_found' };

/**
 * Revokes a key at once and permanently. Revoking a key again changes nothing. Operators give no `workspace_id`, because
 * they may revoke a key of any workspace.
 */
export async function revokeApiKey(
	{ id, workspace_id }: { readonly id: string; readonly workspace_id?: string },
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<RevokeApiKeyResult> {
	return change<ApiKey | null, RevokeApiKeyResult>(
		{
			read: () => store.get('api_key', { id }),
			decide: (before) => {
				if (before === null || before.workspace_id !== (workspace_id ?? before.workspace_id))
					return { result: { outcome: 'not_found' } };
				if (before.revoked_at !== null) return { result: { outcome: 'revoked', key: before } };
				const key = { ...before, version: before.version + 1, revoked_at: new Date(clock.now()).toISOString() };
				return {
					result: { outcome: 'revoked', key },
					writes: { key: putNext('api_key', key) },
				};
			},
		},
		store,
	);
}
