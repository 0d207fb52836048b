import type { WorkspaceLimits } from './limits.ts';

/**
 * A window is ten minutes long. All windows begin at fixed times (10:00, 10:10, ...). So a request is counted with one cheap
 * addition to the counter of its window, and the times of earlier requests need not be stored.
 */
const WINDOW_SECONDS = 600;
const DAY_SECONDS = 24 * 3600;

/**
 * A write that counts in a counter. It adds 1 to each field that `limits` names. If one of these fields has reached its
 * limit, the write adds nothing.
 */
export type CountUp = {
	readonly op: 'count';
	readonly counter: string;
	/**
	 * A counter may consist of several records, each with its own fields. `place` names one of these records. Absent if the
	 * counter is a single record.
	 */
	readonly place?: string;
	readonly limits: Readonly<Record<string, number>>;
	readonly expires_at_epoch_s: number;
};

/** The only limit of the widget's routes that a refusal may name (see ADR 0015). */
export type NamedLimit = 'leads_per_day';

/** A count that belongs to the transaction of the request, and the refusal of the request if the counter is full. */
export type UsageCount = {
	readonly count: CountUp;
	readonly refusal: {
		readonly code: 'rate_limited' | 'calls_unavailable';
		readonly retry_after_seconds: number;
		/**
		 * The name of the limit, if the refusal may show it. A refusal never names a limit that depends on the phone number.
		 */
		readonly limit?: NamedLimit;
		/**
		 * The name of the limit, if the limit is for the whole workspace. Operators are alerted when such a limit refuses a
		 * request, because the limit then refuses every visitor's request of this kind.
		 */
		readonly closes?: ClosingLimit;
	};
};

/**
 * The limits of a whole workspace. Once such a limit is reached, every visitor's call (or every visitor's callback request)
 * is refused. Operators read these names in the log.
 */
export type ClosingLimit = 'calls_per_window' | 'leads_per_window' | 'calls_per_day' | 'leads_per_day';

/** Whether a counter with these values would refuse the next count. */
export function isFull({ limits }: CountUp, used: Readonly<Record<string, number>>): boolean {
	return Object.entries(limits).some(([field, limit]) => (used[field] ?? 0) >= limit);
}

/** The refusal when a rate limit is reached. A refusal because of a phone number looks exactly the same (see ADR 0015). */
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

/**
 * The fixed period that contains an instant. `begins` is its start in UTC, to the minute; counters' names contain it.
 * `epoch_s` is its end, and `in_seconds` is the time from the instant to the end.
 */
export function periodAt(periodSeconds: number, nowMs: number): Period {
	const epoch_s = (Math.floor(nowMs / 1000 / periodSeconds) + 1) * periodSeconds;
	const begins = new Date((epoch_s - periodSeconds) * 1000).toISOString().slice(0, 16);
	return { begins, epoch_s, in_seconds: Math.max(1, Math.ceil(epoch_s - nowMs / 1000)) };
}

/** The UTC day that contains an instant. Its end is the next midnight. */
export function endOfDay(nowMs: number): Period {
	return periodAt(DAY_SECONDS, nowMs);
}

export function windowRefusal(nowMs: number): WindowRefusal {
	return { refused: 'rate_limited', retry_after_seconds: periodAt(WINDOW_SECONDS, nowMs).in_seconds };
}

/**
 * A count in the counter of one period. The counter's name includes the period. The counter's record is kept for one day
 * after the period.
 */
export function countIn(period: Period, name: string, limits: CountUp['limits']): CountUp {
	const counter = `${name}#${period.begins}`;
	return { op: 'count', counter, limits, expires_at_epoch_s: period.epoch_s + DAY_SECONDS };
}

type WorkspaceQuota = { readonly workspace_id: string; readonly limits: WorkspaceLimits };

/**
 * The visitor's address and network, as keyed hashes. `network_hash`: the /48 of an IPv6 address, or null for any other
 * address.
 */
export type Requester = { readonly address_hash: string; readonly network_hash: string | null };

/**
 * We count a /64 as one address, and an IPv6 /48 contains 65,536 such addresses. So the whole /48 gets at most this share of
 * `requests_per_workspace_per_window`.
 */
const NETWORK_SHARE = 0.5;

/**
 * Every public request counts for its address and its network, whether it is accepted or refused. For the workspace's own
 * limit, only accepted requests count. So a few addresses cannot use up the workspace's limit with refused requests.
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

/**
 * For the refused requests for a phone number in a window, the limit is this many times the limit of the calls to the phone
 * number. This factor is more than one, because people retry.
 */
const REFUSALS_PER_CALL = 5;

/**
 * Counts requests of a workspace that were refused because of a phone number, for example because the number is suppressed
 * or in a call. Once the counter is full, every request for the number is refused until the window ends.
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

/**
 * The counter of a workspace's accepted calls in this window, or of its accepted callback requests. The two are counted
 * apart.
 */
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

/** The counter of a workspace's calls on this UTC day. */
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

/**
 * A number as keyed hashes. `number_hash` differs from workspace to workspace, `platform_number_hash` is the same in all
 * workspaces.
 */
export type NumberHashes = { readonly number_hash: string; readonly platform_number_hash: string };

/**
 * The counter of a number on this UTC day, over all workspaces. Its record contains only counts. If the counter is full,
 * the response is the same as for every full rate limit, so that a stranger learns nothing about the number.
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

/** Counts a requested call against the limits of its number: calls in a day and calls in a window, over all workspaces. */
export function numberCallCount(number: NumberHashes, limits: WorkspaceLimits, nowMs: number): UsageCount {
	const fields = (window: string) => ({
		calls: limits.platform_calls_per_number_per_day,
		[`calls ${window}`]: limits.platform_calls_per_number_per_window,
	});
	return numberCount(number, fields, nowMs);
}

/** Counts a callback request against the limit of its number: callback requests in a day, over all workspaces. */
export function numberLeadCount(number: NumberHashes, limits: WorkspaceLimits, nowMs: number): UsageCount {
	return numberCount(number, () => ({ leads: limits.platform_leads_per_number_per_day }), nowMs);
}

// Limits of the server API. A workspace has one counter for each minute, with a field for each limit. So a request costs
// one write unit, however many limits there are.

/** Limits of the server API are per minute. */
export const API_WINDOW_SECONDS = 60;

export type ApiUse = {
	readonly workspace_id: string;
	readonly api_key_id: string;
	/** The operation, if it keeps a function busy for seconds. Such an operation has a limit of its own. */
	readonly slow_operation: string | null;
	readonly limits: WorkspaceLimits;
};

/** The count of one request, the name of the limit of each field, and the seconds until the counter resets. */
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

/** One limit, and how many more requests it allows. `name` identifies the limit. */
export type ApiAllowance = { readonly name: string; readonly limit: number; readonly remaining: number };

/**
 * The limit of the counter that allows the fewest more requests. If several limits allow equally few requests, the smallest
 * of these limits.
 */
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
