import type { Problem } from '../../contract/kernel/problem.ts';
import type { Route } from '../../contract/route.ts';
import { type ApiAllowance, apiCount, tightestAllowance } from '../../domain/workspaces/api-limit.ts';
import { limitsOf, type WorkspaceLimits } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { type Exchange, Refused } from '../exchange.ts';
import { retryAfter } from '../refusals.ts';
import type { Headers } from '../request.ts';
import { authenticate, type Client, presentedKey, UNAUTHENTICATED } from './authenticate.ts';

/** An admitted client; `headers` have the remaining limits. */
type Admitted = { readonly client: Client; readonly headers: Headers };
type Limited = { readonly problem: Problem };

/** A key that this process has admitted before: its workspace, and the limits at that time. */
type Known = Client & {
	readonly limits: WorkspaceLimits;
	readonly read_ms: number;
	/** An exhausted limit: until it resets, requests are refused without asking the table. */
	readonly spent: Spent | null;
};
type Spent = { readonly allowance: ApiAllowance; readonly until_ms: number };

/** How long a process caches limits. */
const LIMITS_KEPT_MS = 60_000;
/** The number of keys that a process remembers. */
const MOST_KNOWN = 1000;

/** Decides about the value of an Authorization header. */
type ClientGate = (authorization: string | undefined) => Promise<Admitted | Limited>;

/**
 * Admits requests of the server API: a live key with the route's permission, within the limits of key, workspace and
 * operation. A known key is counted while the process reads it. An unknown key is counted only after it has proved genuine,
 * so that a stranger cannot use up a customer's limits. Refusals: those of `authenticate`, rate_limited (429).
 */
export function clientGate(
	route: Pick<Route, 'operation' | 'permission' | 'slow'>,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): ClientGate {
	const known = new Map<string, Known>();
	const slow_operation = route.slow ? route.operation : null;

	async function spend(entry: Known, name: string): Promise<{ readonly headers: Headers } | Limited> {
		const now_ms = clock.now();
		const counting = apiCount({ ...entry, slow_operation }, now_ms);
		const { counted, used } = await store.count(counting.count);
		const allowance = tightestAllowance(counting, used);
		if (counted) return { headers: headersOf(allowance, counting.resets_in_seconds) };
		const spent = { allowance, until_ms: counting.ends_ms };
		known.set(name, { ...entry, spent });
		return refusal(spent, now_ms);
	}

	async function learn({ workspace_id, api_key_id }: Client, name: string): Promise<Known> {
		const workspace = await store.get('workspace', { id: workspace_id });
		const limits = limitsOf(workspace ?? { limits: {} });
		const entry = { workspace_id, api_key_id, limits, read_ms: clock.now(), spent: null };
		if (known.size >= MOST_KNOWN) known.clear();
		known.set(name, entry);
		return entry;
	}

	return async (authorization) => {
		const presented = presentedKey(authorization);
		if (presented === null) return UNAUTHENTICATED;
		const { hash: name } = presented;
		const before = known.get(name);
		const now_ms = clock.now();
		if (before?.spent && before.spent.until_ms > now_ms) return refusal(before.spent, now_ms);
		const stale = before !== undefined && now_ms - before.read_ms >= LIMITS_KEPT_MS;
		const [who, early] = await Promise.all([
			authenticate(presented, route, { store, clock }),
			before === undefined ? null : spend(before, name),
			stale ? learn(before, name) : null,
		]);
		if ('problem' in who) return who;
		const { client } = who;
		const left = early ?? (await spend(await learn(client, name), name));
		return 'problem' in left ? left : { client, headers: left.headers };
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

function refusal({ allowance, until_ms }: Spent, now_ms: number): Limited {
	const seconds = Math.max(1, Math.ceil((until_ms - now_ms) / 1000));
	const headers = { ...headersOf(allowance, seconds), ...retryAfter(seconds) };
	const detail = `At most ${allowance.limit} requests a minute for this ${allowance.name}.`;
	return { problem: { code: 'rate_limited', detail, headers } };
}
