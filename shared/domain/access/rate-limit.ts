import type { WorkspaceLimits } from './limits.ts';

/** The window of the short limits. Windows are fixed (10:00, 10:10, ...): a counter is one cheap addition. */
const WINDOW_SECONDS = 600;
const DAY_SECONDS = 24 * 3600;

/** A counter to raise: adds 1 to each named field, or to none if one of them has reached its limit. */
export type CountUp = {
	readonly op: 'count';
	readonly counter: string;
	/** One of several places of the counter, each with its own fields; absent: it has only one. */
	readonly place?: string;
	readonly limits: Readonly<Record<string, number>>;
	readonly expires_at_epoch_s: number;
};

/** A limit of the widget's routes that a refusal may name (see ADR 0015). */
export type NamedLimit = 'leads_per_day';

/** A counter to raise in the transaction of the request that it counts, and the refusal if it is full. */
export type UsageCount = {
	readonly count: CountUp;
	readonly refusal: {
		readonly code: 'rate_limited' | 'calls_unavailable';
		readonly retry_after_seconds: number;
		/** Only for a limit that depends on no number, so that it may be named. */
		readonly limit?: NamedLimit;
		/** The limit of the whole workspace that is full: operators are alerted, because no visitor gets through. */
		readonly closes?: ClosingLimit;
	};
};

/** The limits that close a workspace to every visitor, as operators read them in a log. */
export type ClosingLimit = 'calls_per_window' | 'leads_per_window' | 'calls_per_day' | 'leads_per_day';

/** Whether a counter with these values refuses one more. */
export function isFull({ limits }: CountUp, used: Readonly<Record<string, number>>): boolean {
	return Object.entries(limits).some(([field, limit]) => (used[field] ?? 0) >= limit);
}

/** The refusal for an exhausted window. Refusals that depend on a number are the same (see ADR 0015). */
export type WindowRefusal = {
	readonly refused: 'rate_limited';
	readonly retry_after_seconds: number;
	readonly limit?: NamedLimit;
	readonly closes?: ClosingLimit;
};

/** `YYYY-MM-DD` in UTC. */
export function utcDay(nowMs: number): string {
	return new Date(nowMs).toISOString().slice(0, 10);
}

type Period = { readonly begins: string; readonly epoch_s: number; readonly in_seconds: number };

/** The fixed period that contains an instant: its name in counters (to the minute, UTC) and its end. */
export function periodAt(periodSeconds: number, nowMs: number): Period {
	const epoch_s = (Math.floor(nowMs / 1000 / periodSeconds) + 1) * periodSeconds;
	const begins = new Date((epoch_s - periodSeconds) * 1000).toISOString().slice(0, 16);
	return { begins, epoch_s, in_seconds: Math.max(1, Math.ceil(epoch_s - nowMs / 1000)) };
}

/** The next midnight UTC. */
export function endOfDay(nowMs: number): Period {
	return periodAt(DAY_SECONDS, nowMs);
}

export function windowRefusal(nowMs: number): WindowRefusal {
	return { refused: 'rate_limited', retry_after_seconds: periodAt(WINDOW_SECONDS, nowMs).in_seconds };
}

/** A counter of one period, whose name includes the period. The table keeps it for one more day. */
export function countIn(period: Period, name: string, limits: CountUp['limits']): CountUp {
	const counter = `${name}#${period.begins}`;
	return { op: 'count', counter, limits, expires_at_epoch_s: period.epoch_s + DAY_SECONDS };
}

type WorkspaceQuota = { readonly workspace_id: string; readonly limits: WorkspaceLimits };

/** Who asks, as keyed hashes. `network_hash`: the /48 of an IPv6 address; null for any other. */
export type Requester = { readonly address_hash: string; readonly network_hash: string | null };

/** An IPv6 /48 holds 65,536 addresses of the size that we count, so it gets at most this share of a workspace's window. */
const NETWORK_SHARE = 0.5;

/**
 * The counters for every public request, successful or not: the windows of its address and its network. The workspace's
 * window counts only what was accepted, so that a few addresses cannot close it with refused requests.
 */
export function requestCounts(
	{ limits, address_hash, network_hash }: Pick<WorkspaceQuota, 'limits'> & Requester,
	nowMs: number,
): readonly CountUp[] {
	const window = periodAt(WINDOW_SECONDS, nowMs);
	const ofNetwork = Math.ceil(limits.requests_per_workspace_per_window * NETWORK_SHARE);
	return [
		countIn(window, `address#${address_hash}`, { used: limits.requests_per_address_per_window }),
		...(network_hash === null ? [] : [countIn(window, `network#${network_hash}`, { used: ofNetwork })]),
	];
}

/** Refused requests for one number in a window, for each call that the number may get in it: people retry. */
const REFUSALS_PER_CALL = 5;

/**
 * The counter of a workspace's requests that the number's state refused, whatever the state is. When it is full, the number is
 * refused until the window ends.
 */
export function numberRefusalCount(
	{ platform_number_hash }: NumberHashes,
	{ workspace_id, limits }: WorkspaceQuota,
	nowMs: number,
): UsageCount {
	const window = periodAt(WINDOW_SECONDS, nowMs);
	const used = Math.max(1, limits.platform_calls_per_number_per_window) * REFUSALS_PER_CALL;
	return {
		count: countIn(window, `refused#${workspace_id}#${platform_number_hash}`, { used }),
		refusal: { code: 'rate_limited', retry_after_seconds: window.in_seconds },
	};
}

/** The counter for every accepted call, or callback: those of the workspace in the window. Each has its own. */
export function workspaceWindowCount(
	what: 'calls' | 'leads',
	{ workspace_id, limits }: WorkspaceQuota,
	nowMs: number,
): UsageCount {
	const window = periodAt(WINDOW_SECONDS, nowMs);
	const name = what === 'calls' ? `workspace#${workspace_id}` : `workspace-leads#${workspace_id}`;
	return {
		count: countIn(window, name, { used: limits.requests_per_workspace_per_window }),
		refusal: { code: 'rate_limited', retry_after_seconds: window.in_seconds, closes: `${what}_per_window` },
	};
}

/** The counter for every call: the workspace's calls of the UTC day. */
export function dailyCount({ workspace_id, limits }: WorkspaceQuota, nowMs: number): UsageCount {
	const day = endOfDay(nowMs);
	return {
		count: countIn(day, `calls#${workspace_id}`, { used: limits.calls_per_day }),
		refusal: { code: 'calls_unavailable', retry_after_seconds: day.in_seconds, closes: 'calls_per_day' },
	};
}

export function dailyLeadCount({ workspace_id, limits }: WorkspaceQuota, nowMs: number): UsageCount {
	const day = endOfDay(nowMs);
	return {
		count: countIn(day, `leads#${workspace_id}`, { used: limits.leads_per_day }),
		refusal: {
			code: 'rate_limited',
			retry_after_seconds: day.in_seconds,
			limit: 'leads_per_day',
			closes: 'leads_per_day',
		},
	};
}

/** A number as keyed hashes: `number_hash` differs in every workspace, `platform_number_hash` is the same in all. */
export type NumberHashes = { readonly number_hash: string; readonly platform_number_hash: string };

/**
 * A number's counter of the UTC day, over all workspaces; it contains only counts. When it is full, the response is that of
 * an exhausted window, so that a stranger learns nothing about the number.
 */
function numberCount(
	{ platform_number_hash }: NumberHashes,
	fields: (window: string) => CountUp['limits'],
	nowMs: number,
): UsageCount {
	const window = periodAt(WINDOW_SECONDS, nowMs);
	const count = countIn(endOfDay(nowMs), `number#${platform_number_hash}`, fields(window.begins.slice(11)));
	return { count, refusal: { code: 'rate_limited', retry_after_seconds: window.in_seconds } };
}

/** The counters of a requested call for its number: calls of the day and of the window, over all workspaces. */
export function numberCallCount(number: NumberHashes, limits: WorkspaceLimits, nowMs: number): UsageCount {
	const fields = (window: string) => ({
		calls: limits.platform_calls_per_number_per_day,
		[`calls ${window}`]: limits.platform_calls_per_number_per_window,
	});
	return numberCount(number, fields, nowMs);
}

/** The counter of a lead for its number: leads of the day, over all workspaces. */
export function numberLeadCount(number: NumberHashes, limits: WorkspaceLimits, nowMs: number): UsageCount {
	return numberCount(number, () => ({ leads: limits.platform_leads_per_number_per_day }), nowMs);
}

// Limits of the server API. A workspace has one counter a minute, with a field for each limit, so that any number of
// limits costs a request one write unit.

/** Limits of the server API are per minute. */
export const API_WINDOW_SECONDS = 60;

export type ApiUse = {
	readonly workspace_id: string;
	readonly api_key_id: string;
	/** The operation, if it keeps a function busy for seconds: then it has its own limit. */
	readonly slow_operation: string | null;
	readonly limits: WorkspaceLimits;
};

/** The counter to raise, the name of each of its fields, and the seconds until it resets. */
export type ApiCount = {
	readonly count: CountUp;
	readonly names: Readonly<Record<string, string>>;
	readonly resets_in_seconds: number;
};

export function apiCount({ workspace_id, api_key_id, slow_operation, limits }: ApiUse, nowMs: number): ApiCount {
	const window = periodAt(API_WINDOW_SECONDS, nowMs);
	const key = `key ${api_key_id}`;
	const fields = {
		[key]: limits.api_requests_per_key_per_minute,
		...(slow_operation !== null && { [slow_operation]: limits.slow_requests_per_minute }),
	};
	const slow = slow_operation === null ? {} : { [slow_operation]: `operation ${slow_operation}` };
	return {
		count: countIn(window, `api#${workspace_id}`, fields),
		names: { [key]: 'API key', ...slow },
		resets_in_seconds: window.in_seconds,
	};
}

/** The limit that is closest to exhaustion; `name` identifies it. */
export type ApiAllowance = { readonly name: string; readonly limit: number; readonly remaining: number };

/** The limit with the least left, given the counter's values; for equal remainders, the smallest limit. */
export function tightestAllowance(
	{ count: { limits }, names }: ApiCount,
	used: Readonly<Record<string, number>>,
): ApiAllowance {
	const allowances = Object.entries(limits).map(([field, limit]) => {
		return { name: names[field] ?? field, limit, remaining: Math.max(0, limit - (used[field] ?? 0)) };
	});
	return allowances.reduce((a, b) => {
		return b.remaining < a.remaining || (b.remaining === a.remaining && b.limit < a.limit) ? b : a;
	});
}
