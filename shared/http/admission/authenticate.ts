import type { Problem } from '../../contract/kernel/problem.ts';
import type { Route } from '../../contract/route.ts';
import type { ApiKey } from '../../domain/workspaces/api-key.ts';
import { hashApiKey, isGenuineApiKey, parseApiKey } from '../../domain/workspaces/api-key.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Store } from '../../ports/store.ts';

/** The authenticated client: an API key of one workspace. */
export type Client = { readonly workspace_id: string; readonly api_key_id: string };

/** The precision of `last_used_at`. */
const LAST_USED_STEP_MS = 3_600_000;

export const UNAUTHENTICATED: { readonly problem: Problem } = {
	problem: {
		code: 'unauthenticated',
		detail: 'Send a valid API key as `Authorization: Bearer <API_KEY>`.',
		headers: { 'www-authenticate': 'Bearer' },
	},
};

/** The last recorded use of each key that this process knows, so that a warm function reads the record once an hour. */
const recordedUses = new WeakMap<Store, Map<string, number>>();
const MOST_KEYS = 1000;

/** Records the use of a key, at most once an hour. */
async function recordUse({ id }: ApiKey, store: Store, now_ms: number): Promise<void> {
	const uses = recordedUses.get(store) ?? new Map<string, number>();
	recordedUses.set(store, uses);
	const isRecent = (at_ms: number | undefined) => at_ms !== undefined && now_ms - at_ms < LAST_USED_STEP_MS;
	if (isRecent(uses.get(id))) return;
	const use = await store.get('api_key_use', { id });
	const used_ms = use === null ? undefined : Date.parse(use.last_used_at);
	if (!isRecent(used_ms)) {
		const item = { id, last_used_at: new Date(now_ms).toISOString() };
		await store.commit([{ op: 'put', record: 'api_key_use', item, guard: { if: 'always' } }]);
	}
	if (uses.size >= MOST_KEYS) uses.clear();
	uses.set(id, isRecent(used_ms) && used_ms !== undefined ? used_ms : now_ms);
}

/** A presented API key: its id, and its hash, which must equal that of the genuine key. */
type PresentedKey = { readonly id: string; readonly hash: string };

/** The API key of `Authorization: Bearer`; null if there is none, or its form shows that we did not create it. */
export function presentedKey(header: string | undefined): PresentedKey | null {
	const credential = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
	const key = credential === undefined ? null : parseApiKey(credential);
	return credential === undefined || key === null ? null : { id: key.id, hash: hashApiKey(credential) };
}

/**
 * The client behind `Authorization: Bearer` (RFC 6750), if the key is live and has the route's permission.
 * Refusals: unauthenticated (401), insufficient_permission (403, with `required_permission`).
 */
export async function authenticate(
	{ id, hash }: PresentedKey,
	route: Pick<Route, 'permission'>,
	deps: Pick<Ports, 'store' | 'clock'>,
): Promise<{ readonly client: Client } | { readonly problem: Problem }> {
	const key = await deps.store.get('api_key', { id });
	if (key === null || key.revoked_at !== null || !isGenuineApiKey(hash, key)) return UNAUTHENTICATED;
	if (route.permission === null || !key.permissions.includes(route.permission)) {
		const permission = route.permission;
		return {
			problem: {
				code: 'insufficient_permission',
				detail: `This API key lacks the permission ${permission ?? 'of this route'}.`,
				extra: { required_permission: permission },
			},
		};
	}
	await recordUse(key, deps.store, deps.clock.now());
	return { client: { workspace_id: key.workspace_id, api_key_id: key.id } };
}
