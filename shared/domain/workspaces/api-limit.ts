import { type CountUp, countIn, periodAt } from './rate-limit.ts';
import type { WorkspaceLimits } from './workspace.ts';

// Limits of the server API. A workspace has one counter a minute, with a field for each limit, so that any number of
// limits costs a request one write unit.

/** Limits of the server API are per minute. */
export const API_WINDOW_SECONDS = 60;

/** The request's credentials and operation. */
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
	readonly ends_ms: number;
};

/** The limits that a request to the server API counts against. */
export function apiCount({ workspace_id, api_key_id, slow_operation, limits }: ApiUse, now_ms: number): ApiCount {
	const window = periodAt(API_WINDOW_SECONDS, now_ms);
	const key = `key ${api_key_id}`;
	const fields = {
		all: limits.api_requests_per_workspace_per_minute,
		[key]: limits.api_requests_per_key_per_minute,
		...(slow_operation !== null && { [slow_operation]: limits.slow_requests_per_minute }),
	};
	const slow = slow_operation === null ? {} : { [slow_operation]: `operation ${slow_operation}` };
	return {
		count: countIn(window, `api#${workspace_id}`, fields),
		names: { all: 'workspace', [key]: 'API key', ...slow },
		resets_in_seconds: window.in_seconds,
		ends_ms: window.epoch_s * 1000,
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
