import { API_KEY_SECRET_BYTES, type ApiKey, formatApiKey, hashApiKey } from '../../domain/workspaces/api-key.ts';
import type { Permission } from '../../domain/workspaces/permission.ts';
import type { Ports } from '../../ports/ports.ts';
import { change } from '../kernel/change.ts';

/** Creates an API key. `secret` is the whole key, to show once: only its hash is stored. */
export async function createApiKey(
	input: { readonly workspace_id: string; readonly name: string; readonly permissions: readonly Permission[] },
	deps: Pick<Ports, 'store' | 'clock' | 'ids'>,
): Promise<{ readonly key: ApiKey; readonly secret: string } | { readonly refused: 'workspace_not_found' }> {
	const workspace = await deps.store.get('workspace', { id: input.workspace_id });
	if (workspace === null) return { refused: 'workspace_not_found' };
	const now_ms = deps.clock.now();
	const id = deps.ids.next(now_ms);
	const secret = formatApiKey(id, deps.ids.random(API_KEY_SECRET_BYTES));
	const key: ApiKey = {
		...input,
		id,
		version: 1,
		secret_hash: hashApiKey(secret),
		created_at: new Date(now_ms).toISOString(),
		revoked_at: null,
	};
	const outcome = await deps.store.commit([{ op: 'put', record: 'api_key', item: key, guard: { if: 'absent' } }]);
	if (!outcome.committed) throw new Error('a fresh API key id was taken');
	return { key, secret };
}

export type RevokeApiKeyResult =
	| { readonly outcome: 'revoked'; readonly key: ApiKey }
	| { readonly outcome: 'not_found' };

/** Revokes a key at once and permanently; repeating it changes nothing. */
export async function revokeApiKey(
	id: string,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<RevokeApiKeyResult> {
	return change<ApiKey | null, RevokeApiKeyResult>(
		{
			read: () => store.get('api_key', { id }),
			decide: (before) => {
				if (before === null) return { result: { outcome: 'not_found' } };
				if (before.revoked_at !== null) return { result: { outcome: 'revoked', key: before } };
				const key = { ...before, version: before.version + 1, revoked_at: new Date(clock.now()).toISOString() };
				const guard = { if: 'version', version: before.version } as const;
				return {
					result: { outcome: 'revoked', key },
					writes: { key: { op: 'put', record: 'api_key', item: key, guard } },
				};
			},
		},
		store,
	);
}
