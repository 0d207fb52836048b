import type { Problem } from '../contract/kernel/problem.ts';
import type { Route } from '../contract/route.ts';
import type { ApiKey } from '../domain/workspaces/api-key.ts';
import { isGenuineApiKey, parseApiKey } from '../domain/workspaces/api-key.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store } from '../ports/store.ts';

/** Who asks: an API key of one workspace. */
export type Principal = { readonly workspace_id: string; readonly api_key_id: string };

/** `last_used_at` is exact to this. */
const LAST_USED_STEP_MS = 3_600_000;

function unauthenticated(): { readonly problem: Problem } {
	return {
		problem: {
			code: 'unauthenticated',
			detail: 'Send a valid API key as `Authorization: Bearer <API_KEY>`.',
			headers: { 'www-authenticate': 'Bearer' },
		},
	};
}

/** Of each key, the last use that this process knows to be noted: a warm function reads the record once an hour. */
const noted = new WeakMap<Store, Map<string, number>>();
const MOST_NOTED = 1000;

/** Notes the use of a key, at most once an hour. */
async function noteUse({ id }: ApiKey, store: Store, now: number): Promise<void> {
	const known = noted.get(store) ?? new Map<string, number>();
	noted.set(store, known);
	const isRecent = (at_ms: number | undefined) => at_ms !== undefined && now - at_ms < LAST_USED_STEP_MS;
	if (isRecent(known.get(id))) return;
	const use = await store.get('api_key_use', { id });
	const used_ms = use === null ? undefined : Date.parse(use.last_used_at);
	if (!isRecent(used_ms)) {
		const item = { id, last_used_at: new Date(now).toISOString() };
		await store.commit([{ op: 'put', record: 'api_key_use', item, guard: { if: 'always' } }]);
	}
	if (known.size >= MOST_NOTED) known.clear();
	known.set(id, isRecent(used_ms) && used_ms !== undefined ? used_ms : now);
}

/** The credentials of `Authorization: Bearer`; null if there are none. */
export function presentedKey(header: string | undefined): string | null {
	return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null;
}

/**
 * The principal behind `Authorization: Bearer` (RFC 6750), if the key is live and has the route's permission.
 * Refusals: unauthenticated (401), insufficient_permission (403, with `required_permission`).
 */
export async function authenticate(
	header: string | undefined,
	route: Pick<Route, 'permission'>,
	deps: { readonly store: Store; readonly clock: Clock },
): Promise<{ readonly principal: Principal } | { readonly problem: Problem }> {
	const presented = presentedKey(header);
	const parsed = presented === null ? null : parseApiKey(presented);
	if (presented === null || parsed === null) return unauthenticated();
	const key = await deps.store.get('api_key', { id: parsed.id });
	if (key === null || key.revoked_at !== null || !isGenuineApiKey(presented, key)) return unauthenticated();
	if (route.permission === null || !key.permissions.includes(route.permission)) {
		const required = route.permission;
		return {
			problem: {
				code: 'insufficient_permission',
				detail: `This API key lacks the permission ${required ?? 'of this route'}.`,
				extra: { required_permission: required },
			},
		};
	}
	await noteUse(key, deps.store, deps.clock.now());
	return { principal: { workspace_id: key.workspace_id, api_key_id: key.id } };
}
