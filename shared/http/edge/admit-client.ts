import type { Problem } from '../../contract/kernel/problem.ts';
import type { Route } from '../../contract/route.ts';
import { type ApiKeyUse, hashApiKey, isGenuineApiKey, parseApiKey } from '../../domain/access/api-key.ts';
import { limitsOf } from '../../domain/access/limits.ts';
import { type ApiAllowance, apiCount, tightestAllowance } from '../../domain/access/rate-limit.ts';
import { WORKSPACE_KEY_PREFIX } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Store } from '../../ports/store.ts';
import type { RequestContext } from './edge.ts';
import { Refused, retryAfter } from './refusals.ts';
import type { Headers } from './request.ts';

export type Client = { readonly workspace_id: string; readonly api_key_id: string };

/** `last_used_at` is updated at most this often. */
const LAST_USED_STEP_MS = 3_600_000;

/**
 * The refusal of a request without a valid API key (401). If the format of the header is wrong, the refusal says what is
 * wrong. If the format is right, the refusal says only that the key is not a live key.
 */
function unauthenticated(detail: string): Refusal {
	return { problem: { code: 'unauthenticated', detail, headers: { 'www-authenticate': 'Bearer' } } };
}
const NO_LIVE_KEY = unauthenticated('No live API key is this one: it was revoked, or belongs to another deployment.');

/**
 * Says why an Authorization header contains no API key of ours. This function looks only at the format of the header and
 * reads no record.
 */
function withoutKey(header: string | undefined): Refusal {
	if (header === undefined || header.trim() === '')
		return unauthenticated('The `Authorization` header is missing: send `Authorization: Bearer <API_KEY>`.');
	const [scheme = '', credential = '', ...rest] = header.trim().split(/ +/);
	if (scheme.toLowerCase() !== 'bearer' || credential === '' || rest.length > 0)
		return unauthenticated('The `Authorization` header is not `Bearer <API_KEY>`.');
	if (credential.startsWith(WORKSPACE_KEY_PREFIX))
		return unauthenticated("This is a widget's public workspace key; servers send a secret API key (`cbk_live_…`).");
	return unauthenticated(
		'This is not a whole API key (`cbk_live_<id>_<random>`): it is cut off, mistyped or of another service.',
	);
}

/** Records that a key was used, at most once an hour. */
async function recordUse(use: ApiKeyUse | null, id: string, store: Store, nowMs: number): Promise<void> {
	if (use !== null && nowMs - Date.parse(use.last_used_at) < LAST_USED_STEP_MS) return;
	const item = { id, last_used_at: new Date(nowMs).toISOString() };
	await store.commit([{ op: 'put', record: 'api_key_use', item, guard: { if: 'always' } }]);
}

/**
 * An API key that a client sent: its id, and its hash. The key is genuine if the hash equals the hash that is stored for
 * that id.
 */
type PresentedKey = { readonly id: string; readonly hash: string };

/** The API key in `Authorization: Bearer`. Null if there is none, or if it does not have the format of our keys. */
export function presentedKey(header: string | undefined): PresentedKey | null {
	const credential = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
	const key = credential === undefined ? null : parseApiKey(credential);
	return credential === undefined || key === null ? null : { id: key.id, hash: hashApiKey(credential) };
}

/** A client that was admitted. `headers` tell the client what is left of its limits. */
type Admission = { readonly client: Client; readonly headers: Headers };
/** `client`: the key's workspace and the key's id, for the log. Absent if the key is not genuine. */
type Refusal = { readonly problem: Problem; readonly client?: Client };

type ClientGate = (authorization: string | undefined) => Promise<Admission | Refusal>;

/**
 * Admits requests of the server API (RFC 6750). The key must be live and have the route's permission, and the limits of the
 * key and of a slow operation must not be used up. Requests are counted only after the key has proved to be genuine, so
 * that a stranger cannot use up a customer's limits. Refusals: unauthenticated (401), insufficient_permission (403, with
 * `required_permission`), rate_limited (429).
 */
export function clientGate(
	route: Pick<Route, 'operation' | 'permission' | 'slow'>,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): ClientGate {
	const slow_operation = route.slow ? route.operation : null;

	async function spend(client: Client, nowMs: number): Promise<Admission | Refusal> {
		const workspace = await store.get('workspace', { id: client.workspace_id });
		const limits = limitsOf(workspace ?? { limits: {} });
		const counting = apiCount({ ...client, limits, slow_operation }, nowMs);
		const { counted, used } = await store.count(counting.count);
		const allowance = tightestAllowance(counting, used);
		const headers = headersOf(allowance, counting.resets_in_seconds);
		return counted ? { client, headers } : limitRefusal(allowance, counting.resets_in_seconds, headers);
	}

	return async (authorization) => {
		const presented = presentedKey(authorization);
		if (presented === null) return withoutKey(authorization);
		const { id, hash } = presented;
		const [key, use] = await Promise.all([store.get('api_key', { id }), store.get('api_key_use', { id })]);
		if (key === null || key.revoked_at !== null || !isGenuineApiKey(hash, key)) return NO_LIVE_KEY;
		const client = { workspace_id: key.workspace_id, api_key_id: id };
		if (route.permission === null || !key.permissions.includes(route.permission))
			return { ...lacks(route.permission), client };
		const nowMs = clock.now();
		await recordUse(use, id, store, nowMs);
		const admission = await spend(client, nowMs);
		return { ...admission, client };
	};
}

function lacks(permission: Route['permission']): Refusal {
	return {
		problem: {
			code: 'insufficient_permission',
			detail: `This API key lacks the permission ${permission ?? 'of this route'}.`,
			extra: { required_permission: permission },
		},
	};
}

/** Authenticates the API key, checks its permission, and counts the request against its limits. */
export async function admitClient(gate: ClientGate, exchange: RequestContext): Promise<Client> {
	const who = await gate(exchange.request.headers['authorization']);
	exchange.about = { ...who.client };
	if ('problem' in who) throw new Refused(who.problem);
	exchange.headers = who.headers;
	return who.client;
}

function headersOf({ limit, remaining }: ApiAllowance, resetsInSeconds: number): Headers {
	return {
		'ratelimit-limit': String(limit),
		'ratelimit-remaining': String(remaining),
		'ratelimit-reset': String(resetsInSeconds),
	};
}

function limitRefusal({ name, limit }: ApiAllowance, retryAfterSeconds: number, headers: Headers): Refusal {
	const detail = `At most ${limit} requests a minute for this ${name}.`;
	const headersOfRefusal = { ...headers, ...retryAfter(retryAfterSeconds) };
	return { problem: { code: 'rate_limited', detail, headers: headersOfRefusal, reason: name } };
}
