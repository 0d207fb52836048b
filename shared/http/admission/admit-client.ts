import type { Problem } from '../../contract/kernel/problem.ts';
import type { Route } from '../../contract/route.ts';
import { type ApiKey, hashApiKey, isGenuineApiKey, parseApiKey } from '../../domain/workspaces/api-key.ts';
import { type ApiAllowance, apiCount, tightestAllowance } from '../../domain/workspaces/rate-limit.ts';
import { limitsOf, type WorkspaceLimits } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Store } from '../../ports/store.ts';
import type { Exchange } from '../edge.ts';
import { Refused, retryAfter } from '../refusals.ts';
import type { Headers } from '../request.ts';

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
/** The number of keys that a process remembers. */
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

/** An admitted client; `headers` have the remaining limits. */
type Admission = { readonly client: Client; readonly headers: Headers };
type LimitRefusal = { readonly problem: Problem };

/** An API key that this process has admitted before: its workspace, and the limits at that time. */
type KnownKey = Client & {
	readonly limits: WorkspaceLimits;
	readonly read_ms: number;
	/** An exhausted limit: until it resets, requests are refused without asking the table. */
	readonly spent: ExhaustedLimit | null;
};
type ExhaustedLimit = { readonly allowance: ApiAllowance; readonly until_ms: number };

/** How long a process caches limits. */
const LIMITS_CACHE_MS = 60_000;
/** Decides about the value of an Authorization header. */
type ClientGate = (authorization: string | undefined) => Promise<Admission | LimitRefusal>;

/**
 * Admits requests of the server API: a live key with the route's permission, within the limits of key, workspace and
 * operation. A known key is counted while the process reads it. An unknown key is counted only after it has proved genuine,
 * so that a stranger cannot use up a customer's limits. Refusals: those of `authenticate`, rate_limited (429).
 */
export function clientGate(
	route: Pick<Route, 'operation' | 'permission' | 'slow'>,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): ClientGate {
	const knownKeys = new Map<string, KnownKey>();
	const slow_operation = route.slow ? route.operation : null;

	async function spend(entry: KnownKey, name: string): Promise<{ readonly headers: Headers } | LimitRefusal> {
		const now_ms = clock.now();
		const counting = apiCount({ ...entry, slow_operation }, now_ms);
		const { counted, used } = await store.count(counting.count);
		const allowance = tightestAllowance(counting, used);
		if (counted) return { headers: headersOf(allowance, counting.resets_in_seconds) };
		const limit = { allowance, until_ms: counting.ends_ms };
		knownKeys.set(name, { ...entry, spent: limit });
		return refusal(limit, now_ms);
	}

	async function rememberKey({ workspace_id, api_key_id }: Client, name: string): Promise<KnownKey> {
		const workspace = await store.get('workspace', { id: workspace_id });
		const limits = limitsOf(workspace ?? { limits: {} });
		const entry = { workspace_id, api_key_id, limits, read_ms: clock.now(), spent: null };
		if (knownKeys.size >= MOST_KEYS) knownKeys.clear();
		knownKeys.set(name, entry);
		return entry;
	}

	return async (authorization) => {
		const key = presentedKey(authorization);
		if (key === null) return UNAUTHENTICATED;
		const { hash: name } = key;
		const before = knownKeys.get(name);
		const now_ms = clock.now();
		if (before?.spent && before.spent.until_ms > now_ms) return refusal(before.spent, now_ms);
		const isStale = before !== undefined && now_ms - before.read_ms >= LIMITS_CACHE_MS;
		const [who, early_allowance] = await Promise.all([
			authenticate(key, route, { store, clock }),
			before === undefined ? null : spend(before, name),
			isStale ? rememberKey(before, name) : null,
		]);
		if ('problem' in who) return who;
		const { client } = who;
		const allowance = early_allowance ?? (await spend(await rememberKey(client, name), name));
		return 'problem' in allowance ? allowance : { client, headers: allowance.headers };
	};
}

/** Authenticates the API key, checks its permission, and counts the request against its limits. */
export async function admitClient(gate: ClientGate, exchange: Exchange): Promise<Client> {
	const who = await gate(exchange.request.headers['authorization']);
	if ('problem' in who) throw new Refused(who.problem);
	exchange.headers = who.headers;
	exchange.workspace_id = who.client.workspace_id;
	return who.client;
}

function headersOf({ limit, remaining }: ApiAllowance, resets_in_seconds: number): Headers {
	return {
		'ratelimit-limit': String(limit),
		'ratelimit-remaining': String(remaining),
		'ratelimit-reset': String(resets_in_seconds),
	};
}

function refusal({ allowance, until_ms }: ExhaustedLimit, now_ms: number): LimitRefusal {
	const seconds = Math.max(1, Math.ceil((until_ms - now_ms) / 1000));
	const headers = { ...headersOf(allowance, seconds), ...retryAfter(seconds) };
	const detail = `At most ${allowance.limit} requests a minute for this ${allowance.name}.`;
	return { problem: { code: 'rate_limited', detail, headers } };
}
